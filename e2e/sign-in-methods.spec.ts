import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { addAuthenticator, codeBefore, codeOf } from './authenticator.ts'
import { inDatabase } from './database.ts'
import { ana, expect, password, test } from './fixtures.ts'
import { newcomer, ownPassword } from './newcomer.ts'

async function fillIn(page: Page, email: string, secret: string): Promise<void> {
  await page.getByLabel(m.email(), { exact: true }).fill(email)
  await page.getByLabel(m.password(), { exact: true }).fill(secret)
  await page.getByRole('button', { name: m.login_email() }).click()
}

/** Calls the API as the signed-in person. */
async function send(page: Page, path: string, data: unknown) {
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value
  const answer = await page.request.post(path, { data, headers: { authorization: `Bearer ${token}` } })
  expect(answer.status()).toBe(200)
  return answer.json()
}

/** A newcomer with two-factor authentication, signed out again. */
async function withSecondStep(page: Page): Promise<{ email: string; secret: string; recovery: string[] }> {
  const email = await newcomer(page)
  const { secret } = await send(page, '/api/user/two-factor/setup', {})
  const { recovery_codes } = await send(page, '/api/user/two-factor/enable', {
    code: await codeBefore(secret),
  })
  await page.context().clearCookies()
  return { email, secret, recovery: recovery_codes }
}

const atSecondStep = (page: Page) =>
  expect(page.getByRole('heading', { level: 1, name: m.code_title() })).toBeVisible()

test("the app's code is the second step: a wrong one is refused, the right one continues", async ({
  page,
}) => {
  const { email, secret } = await withSecondStep(page)
  await page.goto(`${href('login')}?next=%2Ftickets`)
  await fillIn(page, email, ownPassword)
  await atSecondStep(page)
  const field = page.getByLabel(m.code_label())
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(field).toHaveAttribute('inputmode', 'numeric')
  const right = codeOf(secret)
  await field.fill(right === '000000' ? '000001' : '000000')
  await expect(page.getByRole('alert')).toHaveText(m.code_refused())
  await expect(field).toBeFocused()
  // As it is pasted, with the space that apps show in it; nothing is pressed.
  await field.fill(`${right.slice(0, 3)} ${right.slice(3)}`)
  await expect(page).toHaveURL('/tickets')
})

test('a recovery code does instead of the app, once', async ({ page }) => {
  const { email, recovery } = await withSecondStep(page)
  const [code = ''] = recovery
  await page.goto(href('login'))
  await fillIn(page, email, ownPassword)
  await page.getByRole('button', { name: m.code_use_recovery() }).click()
  const field = page.getByLabel(m.code_recovery_label())
  await expect(field).toBeFocused()
  await field.fill(code)
  await field.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
  await page.context().clearCookies()
  await page.goto(href('login'))
  await fillIn(page, email, ownPassword)
  await page.getByRole('button', { name: m.code_use_recovery() }).click()
  await field.fill(code)
  await field.press('Enter')
  await expect(page.getByRole('alert')).toHaveText(m.code_recovery_refused())
})

test('the second step has a way back to the first', async ({ page }) => {
  const { email } = await withSecondStep(page)
  await page.goto(href('login'))
  await fillIn(page, email, ownPassword)
  await atSecondStep(page)
  await page.getByRole('button', { name: m.back() }).click()
  await expect(page.getByLabel(m.email(), { exact: true })).toBeVisible()
  await expect(page.getByRole('alert')).toBeEmpty()
})

test('a second step that took too long starts again, and says so', async ({ page }) => {
  const { email, secret } = await withSecondStep(page)
  await page.goto(href('login'))
  await fillIn(page, email, ownPassword)
  await atSecondStep(page)
  // Another browser than the one that the first step was taken in is refused as one that is too late.
  await page.context().clearCookies({ name: 'login_tx' })
  await page.getByLabel(m.code_label()).fill(codeOf(secret))
  await expect(page.getByRole('alert')).toHaveText(m.code_too_late())
  await expect(page.getByLabel(m.email(), { exact: true })).toBeVisible()
})

test('after too many tries the page says when to try again, to the minute', async ({ page }) => {
  await page.goto(href('login'))
  const refusal = { status: '429', code: 'rate_limited', detail: 'Too many attempts.' }
  await page.route('**/auth/login', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '100' }, json: { errors: [refusal] } }),
  )
  await page.clock.setFixedTime(new Date('2026-03-01T12:00:30+02:00'))
  await fillIn(page, ana, password)
  // 12:00:30 and 100 seconds, to the next whole minute.
  await expect(page.getByRole('alert')).toHaveText(m.wait_until({ time: '12:03 PM' }).replace(' ', ' '))
})

/** Adds a passkey to the account that is signed in, as the account page does. */
async function addPasskey(page: Page): Promise<void> {
  await page.goto(`${href('manage-account')}#passkeys`)
  const section = page.getByRole('region', { name: m.account_passkeys(), exact: true })
  await section.getByRole('button', { name: m.passkey_add() }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.passkey_name()).fill('This computer')
  await dialog.getByLabel(m.passkey_name()).press('Enter')
  await expect(section.getByText('This computer')).toBeVisible()
}

test('a passkey signs in without any password or second step, to where one was going', async ({ page }) => {
  await addAuthenticator(page)
  await newcomer(page)
  await addPasskey(page)
  await page.context().clearCookies()
  await page.goto(`${href('login')}?next=%2Ftickets`)
  await page.getByRole('button', { name: m.passkey_sign_in() }).click()
  await expect(page).toHaveURL('/tickets')
})

test('a passkey that is not given, or not known here, says so, and e-mail still works', async ({ page }) => {
  const device = await addAuthenticator(page)
  const email = await newcomer(page)
  await addPasskey(page)
  await page.context().clearCookies()
  await page.goto(href('login'))
  await device.refuse()
  await page.getByRole('button', { name: m.passkey_sign_in() }).click()
  await expect(page.getByRole('alert')).toHaveText(m.passkey_unused())
  await fillIn(page, email, ownPassword)
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
})

test('passkeys are not offered where the browser has none', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
  await page.goto(href('login'))
  await expect(page.getByRole('button', { name: /Ana Marin/ })).toBeVisible()
  await expect(page.getByRole('button', { name: m.passkey_sign_in() })).toHaveCount(0)
})

test('the e-mail that one comes with is filled in, and the cursor is in the password', async ({ page }) => {
  await page.goto(`${href('register-signin')}?email=${encodeURIComponent(ana)}&next=%2Ftickets`)
  await expect(page.getByLabel(m.email())).toHaveValue(ana)
  await expect(page.getByLabel(m.password(), { exact: true })).toBeFocused()
  await page.keyboard.type('wrong')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText(m.login_refused())
  await expect(page.getByLabel(m.password(), { exact: true })).toBeFocused()
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/tickets')
})

test('a person with an account in another language still reaches their page', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en-US', baseURL: process.env.PORTAL_URL ?? '' })
  const page = await context.newPage()
  await page.goto('/usages?period=2026-01#june')
  await expect(page).toHaveURL(/\/login\?next=/)
  await fillIn(page, 'mihai@demo.test', password)
  await expect(page).toHaveURL('/usages?period=2026-01#june')
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('ro')
  await context.close()
})

test('an account that misses both is led through the one and the other, and then to where it was going', async ({
  page,
}) => {
  const email = await newcomer(page)
  await inDatabase('update auth_accounts set verified_at = null where email = $1', email)
  await inDatabase('update clients set google_process = 0, email_verified_at = null where email = $1', email)
  await page.goto('/billing')
  const completing = '/register/google?next=%2Fbilling'
  await expect(page).toHaveURL(`/verify?next=${encodeURIComponent(completing)}`)
  await inDatabase('update auth_accounts set verified_at = now() where email = $1', email)
  await inDatabase('update clients set email_verified_at = now() where email = $1', email)
  await expect(page).toHaveURL(completing)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: m.details_submit() }).click()
  await expect(page).toHaveURL('/billing')
})

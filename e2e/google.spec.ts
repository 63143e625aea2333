import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { codeBefore, codeOf } from './authenticator.ts'
import { expectAccessible } from './axe.ts'
import { expect } from './fixtures.ts'
import { type RunningIssuer, startIssuer } from './oidc-issuer.ts'
import { withOwnPortal } from './own-portal.ts'
import { refusal } from './refusal.ts'

// A portal of its own, that signs people in with an issuer which stands in for Google.
let issuer: RunningIssuer
const test = withOwnPortal(async () => {
  issuer = await startIssuer()
  return issuer.env
})
test.afterAll(() => issuer.stop())

const someone = () => `google-${crypto.randomUUID()}@example.com`

/** Signs in at the issuer, whose page stands where Google's would. */
async function atGoogle(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function signInWithGoogle(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: m.login_google() }).click()
  await atGoogle(page, email)
}

async function completeRegistration(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: m.register_google_title() })).toBeVisible()
  await page.getByLabel(m.first_name()).fill('Maria')
  await page.getByLabel(m.last_name()).fill('Ionescu')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: m.details_submit() }).click()
}

/** A person who came by Google, completed their registration, and is on the dashboard. */
async function newcomer(page: Page): Promise<string> {
  const email = someone()
  await page.goto(href('login'))
  await signInWithGoogle(page, email)
  await completeRegistration(page)
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
  return email
}

test('a first sign-in with Google completes the registration, then continues to the requested page', async ({
  page,
}) => {
  await page.goto('/tickets?status=open')
  await page.getByRole('tab', { name: m.register_title() }).click()
  await page.getByRole('link', { name: m.register_with_google() }).click()
  const email = someone()
  await atGoogle(page, email)
  await expect(page).toHaveURL('/register/google?next=%2Ftickets%3Fstatus%3Dopen')
  await expect(page.getByText(m.details_google_lead({ email }))).toBeVisible()
  await expectAccessible(page, 'completing a registration with Google')
  // Every other page leads back here until it is done.
  await page.goto(href('billing'))
  await expect(page).toHaveURL('/register/google?next=%2Fbilling')
  await page.goto('/tickets?status=open')
  await page.getByLabel(m.first_name()).fill('Maria')
  await page.getByRole('button', { name: m.details_submit() }).click()
  await expect(page.getByText(refusal('terms_not_accepted'))).toBeVisible()
  await completeRegistration(page)
  await expect(page).toHaveURL('/tickets?status=open')
  await page.goto(href('register-google'))
  await expect(page).toHaveURL('/')
})

test('returning from Google opens the dashboard at once', async ({ page }) => {
  const email = await newcomer(page)
  await page.context().clearCookies()
  await page.goto(href('login'))
  await signInWithGoogle(page, email)
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
})

test('Google does not spare anybody the second step', async ({ page }) => {
  const email = await newcomer(page)
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value
  const headers = { authorization: `Bearer ${token}` }
  const set = await page.request.post('/api/user/two-factor/setup', { data: {}, headers })
  const { secret } = await set.json()
  const data = { code: await codeBefore(secret) }
  expect((await page.request.post('/api/user/two-factor/enable', { data, headers })).status()).toBe(200)
  await page.context().clearCookies()
  await page.goto('/usages')
  await signInWithGoogle(page, email)
  await expect(page.getByRole('heading', { level: 1, name: m.code_title() })).toBeVisible()
  await expect(page).toHaveURL(/\/google\/callback\?/)
  await page.getByLabel(m.code_label()).fill(codeOf(secret))
  await expect(page).toHaveURL('/usages')
})

test('cancelling at Google returns to sign-in, and a pending invitation is gone', async ({
  page,
  complaints,
}) => {
  await page.goto(href('login'))
  await page.evaluate(() => localStorage.setItem('invite_token', 'abc'))
  await page.getByRole('link', { name: m.login_google() }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/login\?error=/)
  const alert = page.getByRole('alert')
  await expect(alert.getByText('An error has occured', { exact: true })).toBeVisible()
  await expect(alert.getByText(m.google_cancelled())).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('invite_token'))).toBeNull()
  // The refusal is logged, and nothing else is.
  expect(complaints.splice(0)).toHaveLength(1)
})

test('registration is offered with Google on its own page too', async ({ page }) => {
  await page.goto(href('register'))
  await expect(page.getByRole('link', { name: m.register_with_google() })).toBeVisible()
  await page.goto(href('create-account'))
  await expect(page.getByRole('link', { name: m.register_with_google() })).toBeVisible()
})

test("a second Google account with the same address is refused, and the owner's log shows it", async ({
  page,
  complaints,
}) => {
  const email = await newcomer(page)
  await page.context().clearCookies()
  await page.goto(href('login'))
  await signInWithGoogle(page, `successor-of-${email}`)
  await expect(page).toHaveURL(/\/login\?error=/)
  await expect(page.getByRole('alert').getByText(m.google_other_linked())).toBeVisible()
  expect(complaints.splice(0)).toHaveLength(1)
  await signInWithGoogle(page, email)
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
  await page.goto(`${href('manage-account')}#security-log`)
  await expect(page.getByText(m.event_google_refused({ email }))).toBeVisible()
})

import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { inDatabase } from './database.ts'
import { expect, test } from './fixtures.ts'
import { lastLetter, linkOf } from './letters.ts'
import { ownPassword } from './newcomer.ts'
import { refusal } from './refusal.ts'

const someone = () => `new-${crypto.randomUUID()}@example.com`

const submit = (page: Page) => page.getByRole('button', { name: m.register_title(), exact: true })

/** Fills the form in as Maria Ionescu; what is given is otherwise. */
async function fillIn(page: Page, email: string, password = ownPassword): Promise<void> {
  await page.getByLabel(m.first_name()).fill('Maria')
  await page.getByLabel(m.last_name()).fill('Ionescu')
  await page.getByLabel(m.email()).fill(email)
  await page.getByLabel(m.new_password(), { exact: true }).fill(password)
  await page.getByLabel(m.retype_password()).fill(password)
  await page.getByRole('checkbox').check()
}

async function register(page: Page, email: string, next?: string): Promise<void> {
  await page.goto(`${href('create-account')}${next ? `?next=${encodeURIComponent(next)}` : ''}`)
  await fillIn(page, email)
  await submit(page).click()
  await expect(page.getByRole('heading', { level: 1, name: m.verify_title() })).toBeVisible()
}

/** The path of the newest confirmation link. */
async function confirmation(page: Page, email: string): Promise<string> {
  return new URL(linkOf(await lastLetter(page.request, email, /^Confirm/))).pathname
}

test('a newcomer registers, confirms in another tab, enters their details, and is on the dashboard', async ({
  page,
}) => {
  const email = someone()
  await page.goto(href('login'))
  await page.getByRole('tab', { name: m.register_title() }).click()
  await fillIn(page, email)
  await submit(page).click()
  await expect(page.getByText(m.verify_lead({ email }))).toBeVisible()
  await expect(page.getByRole('link', { name: m.demo_outbox() })).toHaveAttribute('href', '/outbox')
  const other = await page.context().newPage()
  await other.goto(await confirmation(page, email))
  await expect(other.getByRole('heading', { level: 1, name: m.verify_email_done() })).toBeVisible()
  // Nothing is touched here: the page that waits goes on by itself.
  await expect(page.getByRole('heading', { level: 1, name: m.register_details_title() })).toBeVisible()
  await expect(page.getByLabel(m.first_name())).toHaveValue('Maria')
  await page.getByText(m.account_company(), { exact: true }).click()
  await page.getByRole('button', { name: m.details_submit() }).click()
  await expect(page.getByLabel(m.company_name())).toHaveAccessibleDescription(m.fault_company_name())
  await expect(page.getByLabel(m.company_name())).toBeFocused()
  await page.getByLabel(m.company_name()).fill('Ionescu SRL')
  await page.getByLabel(m.address(), { exact: true }).fill('Strada Lungă 1')
  await page.getByLabel(m.city()).fill('Brașov')
  await page.getByLabel(m.zip_code()).fill('500001')
  await page.getByLabel(m.country(), { exact: true }).selectOption({ label: 'Romania' })
  await page.getByLabel(m.county()).selectOption({ label: 'Brașov' })
  await page.getByRole('button', { name: m.details_submit() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
  await expect(page).toHaveURL('/')
  // All that invoices need is there, so no banner asks for it.
  await expect(page.getByText(m.banner_billing())).toHaveCount(0)
  await page.goto(href('register-details'))
  await expect(page).toHaveURL('/')
  await other.close()
})

test('confirming on a phone leads to sign-in in the first browser, with the e-mail filled in', async ({
  page,
  browser,
}) => {
  const email = someone()
  await register(page, email, '/tickets')
  const phone = await browser.newPage({ baseURL: process.env.PORTAL_URL ?? '' })
  await phone.goto(await confirmation(page, email))
  await expect(phone.getByRole('heading', { level: 1, name: m.verify_email_done() })).toBeVisible()
  // Nothing is touched here: the page that waits says how to go on.
  await expect(page.getByText(m.verify_signin({ email }))).toBeVisible()
  await expect(page.getByLabel(m.email())).toHaveValue(email)
  await page.getByLabel(m.password(), { exact: true }).fill(ownPassword)
  await page.getByRole('button', { name: m.login_email() }).click()
  await expect(page).toHaveURL('/register-details?next=%2Ftickets')
  // The browser that only followed the link is not signed in, and may sign in.
  await phone.getByRole('button', { name: m.go_on() }).click()
  await expect(phone).toHaveURL(/\/register\/signin\?email=/)
  await expect(phone.getByLabel(m.email())).toHaveValue(email)
  await phone.close()
})

test('the link followed in the same browser, with the waiting page closed, goes on from there', async ({
  page,
}) => {
  const email = someone()
  await register(page, email)
  const link = await confirmation(page, email)
  // Before anything polls: the page is left at once.
  await page.goto(link)
  await page.getByRole('button', { name: m.go_on() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.register_details_title() })).toBeVisible()
  await page.getByRole('link', { name: m.details_later() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
})

test('the newcomer’s destination is kept until the end', async ({ page }) => {
  const email = someone()
  await page.goto(href('tickets'))
  await page.getByRole('tab', { name: m.register_title() }).click()
  await fillIn(page, email)
  await submit(page).click()
  await expect(page).toHaveURL('/verify?next=%2Ftickets')
  expect((await page.request.get(`/auth${await confirmation(page, email)}`)).status()).toBe(200)
  await expect(page).toHaveURL('/register-details?next=%2Ftickets')
  await page.getByRole('link', { name: m.details_later() }).click()
  await expect(page).toHaveURL('/tickets')
})

test('faults are shown under their fields, the first one has the focus, and the input stays', async ({
  page,
}) => {
  await page.goto(href('create-account'))
  await submit(page).click()
  await expect(page.getByLabel(m.first_name())).toBeFocused()
  await expect(page.getByLabel(m.first_name())).toHaveAccessibleDescription(refusal('first_name_required'))
  await expect(page.getByText(refusal('terms_not_accepted'))).toBeVisible()
  const email = someone()
  await fillIn(page, email, 'password12345')
  await page.getByLabel(m.retype_password()).fill('something else')
  await submit(page).click()
  await expect(page.getByLabel(m.retype_password())).toHaveAccessibleDescription(m.fault_retype())
  await page.getByLabel(m.retype_password()).fill('password12345')
  await submit(page).click()
  // The server knows the passwords that are tried first.
  const password = page.getByLabel(m.new_password(), { exact: true })
  await expect(password).toHaveAccessibleDescription(refusal('password_common'))
  await expect(password).toBeFocused()
  await expect(page.getByLabel(m.email())).toHaveValue(email)
  await expect(page.getByRole('checkbox')).toBeChecked()
})

test('an address of a known provider leads to its inbox', async ({ page }) => {
  await register(page, `new-${crypto.randomUUID()}@GMail.com`)
  await expect(page.getByRole('link', { name: m.verify_open_inbox({ name: 'Gmail' }) })).toHaveAttribute(
    'href',
    'https://mail.google.com/',
  )
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 600 } })

  test('the first fault is seen with the label of its field', async ({ page }) => {
    await page.goto(href('create-account'))
    await submit(page).click()
    await expect(page.getByLabel(m.first_name())).toBeFocused()
    await expect(page.getByText(m.first_name(), { exact: true })).toBeInViewport({ ratio: 1 })
  })
})

test('the strength of a password is shown while typing', async ({ page }) => {
  await page.goto(href('create-account'))
  const password = page.getByLabel(m.new_password(), { exact: true })
  await page.getByLabel(m.first_name()).fill('Anastasia')
  for (const [typed, said] of [
    ['short', m.strength_short({ count: 5 })],
    ['aaaaaaaaaaaa', m.strength_guessable()],
    ['anastasia-2026', m.strength_guessable()],
    ['grey lamp 12', m.strength_good()],
    [ownPassword, m.strength_strong()],
  ] as const) {
    await password.fill(typed)
    await expect(password).toHaveAccessibleDescription(said)
  }
})

test('input before the scripts have loaded is not lost', async ({ page }) => {
  const arrived = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await arrived.promise
    await route.continue()
  })
  await page.goto(href('create-account'), { waitUntil: 'commit' })
  await page.getByLabel(m.first_name()).fill('Maria')
  await page.getByLabel(m.new_password(), { exact: true }).fill(ownPassword)
  await page.getByRole('checkbox').check()
  arrived.resolve()
  await expect(page.getByText(m.strength_strong())).toBeVisible()
  await submit(page).click()
  await expect(page.getByLabel(m.last_name())).toBeFocused()
  await expect(page.getByLabel(m.first_name())).toHaveValue('Maria')
  await expect(page.getByRole('checkbox')).toBeChecked()
})

test('the mail is sent again when a minute has passed, which is counted down', async ({ page }) => {
  const email = someone()
  await page.clock.install()
  await register(page, email)
  const resend = page.getByRole('button', { name: /^Send/ })
  await expect(resend).toBeDisabled()
  await expect(resend).toHaveText(/^Send again in 0:\d\d$/)
  const shown = await resend.textContent()
  await page.clock.runFor(5_000)
  await expect(resend).not.toHaveText(shown ?? '')
  await page.reload()
  // The countdown continues and does not restart.
  await expect(resend).toHaveText(/^Send again in 0:[0-5]\d$/)
  await page.clock.runFor(60_000)
  await expect(resend).toBeEnabled()
  await resend.click()
  await expect(page.getByText(m.resend_done())).toBeVisible()
  await expect(resend).toBeDisabled()
})

test('a mistyped address can be corrected: the form is filled in except for the password', async ({
  page,
}) => {
  await register(page, someone())
  await page.getByRole('link', { name: m.verify_other_address() }).click()
  await expect(page.getByLabel(m.first_name())).toHaveValue('Maria')
  await expect(page.getByLabel(m.new_password(), { exact: true })).toHaveValue('')
  const email = someone()
  await fillIn(page, email)
  await submit(page).click()
  await expect(page.getByText(m.verify_lead({ email }))).toBeVisible()
})

test('an unconfirmed person waits, corrects their address, and continues to the requested page', async ({
  page,
}) => {
  const email = someone()
  const data = { first_name: 'Maria', last_name: 'Ionescu', email, password: ownPassword, terms: true }
  expect((await page.request.post('/auth/register', { data })).status()).toBe(200)
  await page.goto(href('usages'))
  await page.getByLabel(m.email(), { exact: true }).fill(email)
  await page.getByLabel(m.password(), { exact: true }).fill(ownPassword)
  await page.getByRole('button', { name: m.login_email() }).click()
  await expect(page).toHaveURL('/verify?next=%2Fusages')
  await expect(page.getByText(m.verify_lead({ email }))).toBeVisible()
  await page.getByRole('button', { name: m.verify_other_address() }).click()
  const right = someone()
  await page.getByLabel(m.email()).fill(right)
  await page.getByRole('button', { name: m.resend() }).click()
  await expect(page.getByText(m.verify_lead({ email: right }))).toBeVisible()
  expect((await page.request.get(`/auth${await confirmation(page, right)}`)).status()).toBe(200)
  await expect(page).toHaveURL('/usages')
})

test('an unconfirmed person can sign out', async ({ page }) => {
  const email = someone()
  const data = { first_name: 'Maria', last_name: 'Ionescu', email, password: ownPassword, terms: true }
  expect((await page.request.post('/auth/register', { data })).status()).toBe(200)
  const { code } = await (
    await page.request.post('/auth/login', { data: { email, password: ownPassword } })
  ).json()
  await page.request.get(`/auth/callback?code=${code}`)
  await page.goto('/')
  await expect(page).toHaveURL('/verify')
  await page.getByRole('button', { name: m.sign_out() }).click()
  await expect(page).toHaveURL('/login')
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('token')
})

test('a link that was used, has expired or is none says which, and offers the way on', async ({ page }) => {
  const email = someone()
  await register(page, email)
  const link = await confirmation(page, email)
  await inDatabase(
    `update auth_one_time set expires_at = now() - interval '1 minute'
     where purpose = 'verify-email' and account_id = (select id from auth_accounts where email = $1)`,
    email,
  )
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: m.link_expired_title() })).toBeVisible()
  await page.getByRole('button', { name: m.resend() }).click()
  await expect(page.getByText(m.resend_done())).toBeVisible()
  await page.goto(`${link}x`)
  await expect(page.getByRole('heading', { level: 1, name: m.link_invalid_title() })).toBeVisible()
  const another = someone()
  await register(page, another)
  const good = await confirmation(page, another)
  expect((await page.request.get(`/auth${good}`)).status()).toBe(200)
  await page.goto(good)
  await expect(page.getByRole('heading', { level: 1, name: m.verify_email_used() })).toBeVisible()
  await page.getByRole('link', { name: m.login_title() }).click()
  await expect(page).toHaveURL('/login')
})

test('without a connection the link waits for another try', async ({ page }) => {
  const email = someone()
  await register(page, email)
  const link = await confirmation(page, email)
  await page.route('**/auth/verify-email/**', (route) => route.abort())
  await page.goto(link)
  await expect(page.getByText(m.offline_short())).toBeVisible()
  await page.unroute('**/auth/verify-email/**')
  await page.getByRole('button', { name: m.try_again() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.verify_email_done() })).toBeVisible()
})

test('a control works at the first click, though leaving the field shows a fault', async ({ page }) => {
  await page.goto(href('create-account'))
  await page.getByLabel(m.retype_password()).fill('something else')
  await page.getByRole('checkbox').click()
  await expect(page.getByText(m.fault_retype())).toBeVisible()
  await expect(page.getByRole('checkbox')).toBeChecked()
})

test('an invitation that waits in this browser outlives a registration', async ({ page }) => {
  await page.goto(href('register'))
  await page.evaluate(() => localStorage.setItem('invite_token', 'abc'))
  await page.getByRole('link', { name: m.register_with_email() }).click()
  const email = someone()
  await fillIn(page, email)
  await submit(page).click()
  // Until the answer is here this browser cannot show that it was the one that registered.
  await expect(page.getByRole('heading', { level: 1, name: m.verify_title() })).toBeVisible()
  expect((await page.request.get(`/auth${await confirmation(page, email)}`)).status()).toBe(200)
  await expect(page.getByRole('heading', { level: 1, name: m.register_details_title() })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('invite_token'))).toBe('abc')
})

import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { inDatabase } from './database.ts'
import { expect, test } from './fixtures.ts'
import { lastLetter, linkOf } from './letters.ts'
import { newcomer } from './newcomer.ts'
import { refusal } from './refusal.ts'

/** For how long the link of the letter works, as the page says it. */
const minutes = 30

/** Requests a reset link as a person who forgot their password; returns its path with the secret in the fragment. */
async function ask(page: Page, email: string): Promise<string> {
  await page.goto(href('login'))
  await page.getByRole('link', { name: m.forgot_password() }).click()
  await page.getByLabel(m.email()).fill(email)
  await page.getByRole('button', { name: m.forgot_password_send() }).click()
  const said = m.forgot_password_sent_text({ email, count: minutes })
  await expect(page.getByText(said)).toBeVisible()
  const { pathname, hash } = new URL(linkOf(await lastLetter(page.request, email, /password/i)))
  return pathname + hash
}

async function choose(page: Page, chosen: string, again = chosen): Promise<void> {
  await page.getByLabel(m.new_password(), { exact: true }).fill(chosen)
  await page.getByLabel(m.retype_password()).fill(again)
  await page.getByRole('button', { name: m.reset_password_submit() }).click()
}

test('a forgotten password is replaced by the link of a mail, and one signs in with the new one', async ({
  page,
}) => {
  const email = await newcomer(page)
  await page.context().clearCookies()
  const link = await ask(page, email)
  await page.goto(link)
  await expect(page.getByText(m.reset_password_lead({ email }))).toBeVisible()
  await choose(page, 'a green boat on land', 'another boat')
  await expect(page.getByLabel(m.retype_password())).toHaveAccessibleDescription(m.fault_retype())
  await choose(page, 'password12345')
  await expect(page.getByText(refusal('password_common'))).toBeVisible()
  await choose(page, 'a green boat on land')
  await expect(page.getByRole('heading', { level: 1, name: m.reset_password_done() })).toBeVisible()
  await page.getByRole('link', { name: m.login_title() }).click()
  await expect(page.getByLabel(m.email())).toHaveValue(email)
  await page.getByLabel(m.password(), { exact: true }).fill('a green boat on land')
  await page.getByRole('button', { name: m.login_email() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
  // The link is worth nothing any more.
  await page.goto(href('login'))
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: m.link_used_title() })).toBeVisible()
})

test('an address that has no account gets the same answer', async ({ page }) => {
  await page.goto(href('forgot-password'))
  const email = `nobody-${crypto.randomUUID()}@example.com`
  await page.getByLabel(m.email()).fill('nobody')
  await page.getByRole('button', { name: m.forgot_password_send() }).click()
  await expect(page.getByLabel(m.email())).toHaveAccessibleDescription(m.fault_email())
  await page.getByLabel(m.email()).fill(email)
  await page.getByLabel(m.email()).press('Enter')
  const said = m.forgot_password_sent_text({ email, count: minutes })
  await expect(page.getByText(said)).toBeVisible()
  await page.getByRole('button', { name: m.forgot_password_other() }).click()
  await expect(page.getByLabel(m.email())).toHaveValue('')
})

test('a link that expires while one chooses says so, and another can be asked for', async ({ page }) => {
  const email = await newcomer(page)
  const link = await ask(page, email)
  await page.goto(link)
  await expect(page.getByText(m.reset_password_lead({ email }))).toBeVisible()
  await inDatabase(
    `update auth_one_time set expires_at = now() - interval '1 minute'
     where purpose = 'password-reset' and account_id = (select id from auth_accounts where email = $1)`,
    email,
  )
  await choose(page, 'a green boat on land')
  await expect(page.getByRole('heading', { level: 1, name: m.link_expired_title() })).toBeVisible()
  await page.getByRole('link', { name: m.reset_password_again() }).click()
  await expect(page).toHaveURL('/forgot-password')
})

test('a link without its secret does not work, and neither part of it is sent in an address', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${href('reset-password')}#not-a-secret`)
  await expect(page.getByRole('heading', { level: 1, name: m.link_invalid_title() })).toBeVisible()
  expect(asked.filter((url) => new URL(url).href.replace(/#.*/, '').includes('not-a-secret'))).toEqual([])
})

test('a change of address is confirmed by the new one, and undone by the former', async ({ page }) => {
  const email = await newcomer(page)
  const next = `next-${crypto.randomUUID()}@example.com`
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value
  const headers = { authorization: `Bearer ${token}` }
  expect((await page.request.post('/api/user/email', { data: { email: next }, headers })).status()).toBe(200)
  const confirm = new URL(linkOf(await lastLetter(page.request, next)))
  await page.goto(confirm.pathname + confirm.hash)
  await expect(page.getByText(m.email_changed_text({ email: next }))).toBeVisible()
  const letter = await lastLetter(page.request, email, /chang/i)
  const undo = /https?:\/\/\S+#undo=\S+/.exec(letter.text)?.[0] ?? ''
  await page.goto(new URL(undo).pathname + new URL(undo).hash)
  await page.getByRole('button', { name: m.email_undo() }).click()
  await expect(page.getByText(m.email_undone_text({ email }))).toBeVisible()
  await page.goto('/')
  await expect(page).toHaveURL(/\/login/)
})

import { expect, type Page } from '@playwright/test'
import { inDatabase } from './database.ts'
import { lastLetter, linkOf } from './letters.ts'

/** Good enough for the portal, which knows the common ones. */
export const ownPassword = 'quiet rivers under 7 bridges'

/** Signs in with a password that is not the demo's. */
export async function signInAs(page: Page, email: string, password = ownPassword): Promise<void> {
  const answer = await page.request.post('/auth/login', { data: { email, password } })
  expect(answer.status()).toBe(200)
  const { code } = await answer.json()
  expect((await page.request.get(`/auth/callback?code=${code}`)).status()).toBe(200)
}

/**
 * All browsers of the specs come from one address, which may ask for so many letters an hour: the count is reset. No count
 * that a spec is about grows so high.
 */
const letManyRegister = () =>
  inDatabase('delete from auth_throttle where fails >= 40 and blocked_until is null')

/** Signs in as a new person, for changes that would disturb the demo people of other specs. Returns their address. */
export async function newcomer(page: Page): Promise<string> {
  await letManyRegister()
  const email = `new-${crypto.randomUUID()}@example.com`
  const data = { first_name: 'Maria', last_name: 'Ionescu', email, password: ownPassword, terms: true }
  expect((await page.request.post('/auth/register', { data })).status()).toBe(200)
  const { pathname } = new URL(linkOf(await lastLetter(page.request, email)))
  expect((await page.request.get(`/auth${pathname}`)).status()).toBe(200)
  await signInAs(page, email)
  return email
}

/** A newcomer with a panel that failed and costs nothing. Returns their address. */
export async function newcomerWithPanel(page: Page): Promise<string> {
  const email = await newcomer(page)
  await inDatabase(
    `insert into panels (client_id, project_id, name, status, external_id, synced_at)
     select c.id, p.id, 'broken', 'error', 'ext-' || c.id, now() from clients c join projects p on p.client_id = c.id
     where c.email = $1`,
    email,
  )
  return email
}

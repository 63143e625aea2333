import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { codeOf } from './authenticator.ts'
import { expectAccessible } from './axe.ts'
import { expect } from './fixtures.ts'
import { withOwnPortal } from './own-portal.ts'
import { refusal } from './refusal.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

const test = withOwnPortal({ SEED: 'none' })
const password = 'seven green bicycles'

const linkIn = (greeting: string): string => {
  const [link] = /http\S+\/setup#\S+/.exec(greeting) ?? []
  if (link === undefined) throw new Error(`The start printed no link.\n${greeting}`)
  return link
}

/** Creates the account of the first administrator. */
async function fillAccount(page: Page): Promise<void> {
  await page.getByLabel(m.desk_begin_name()).fill('Ana')
  await page.getByLabel(m.email()).fill('ana@acme.test')
  await page.getByLabel(m.new_password(), { exact: true }).fill(password)
  await page.getByLabel(m.retype_password()).fill(password)
  await page.getByRole('button', { name: m.desk_begin_create() }).click()
}

/** The list of a portal of which nothing is set names what stops it, and shows what was done since. */
async function expectChecked(page: Page): Promise<void> {
  const steps = page.getByRole('list', { name: m.desk_checks_steps() })
  await expect(page.getByRole('heading', { name: m.desk_checks_not_ready() })).toBeVisible()
  const step = (name: string) =>
    steps.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
  await expect(step(m.desk_step_company())).toContainText(m.desk_checks_todo())
  await expect(step(m.desk_step_files())).toContainText(m.desk_checks_done())
  await page.getByRole('button', { name: m.desk_checks_run() }).click()
  await expect(step(m.desk_step_you())).toContainText(m.desk_checks_done())
  await expectAccessible(page, 'the checks')
  await step(m.desk_step_company()).getByRole('link', { name: m.desk_checks_open() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.desk_company_title() })).toBeVisible()
}

/** The example makes an empty portal sell two plans. */
async function publishExample(page: Page): Promise<void> {
  await page.goto(`${deskHome}/plans`)
  await expect(page.getByText(m.desk_plans_none())).toBeVisible()
  await page.getByRole('button', { name: m.desk_plans_example() }).click()
  await expect(page.getByLabel(m.desk_plans_text(), { exact: true })).toHaveValue(/example-business/)
  await page.getByRole('button', { name: m.desk_plans_preview() }).click()
  await page.getByRole('button', { name: m.desk_plans_publish() }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_verb_reason()).fill('Our first plans')
  await dialog.getByRole('button', { name: m.desk_plans_publish(), exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: 'example-business' })).toBeVisible()
  await page.goto('/prices')
  await expect(page.getByRole('heading', { name: 'Business' })).toBeVisible()
}

test('a new portal is set up by its first administrator', async ({ page, portal, browser, baseURL }) => {
  const link = linkIn(portal.greeting)
  const register = { first_name: 'Ilie', last_name: 'Rus', email: 'ilie@example.com', password, terms: true }
  const early = await page.request.post('/auth/register', { data: register })
  expect(early.status()).toBe(403)

  await page.goto(link)
  await expect(page.getByRole('heading', { name: m.desk_begin_title() })).toBeVisible()
  await page.getByRole('button', { name: m.desk_begin_create() }).click()
  await expect(page.getByText(refusal('name_required'))).toBeVisible()
  await expectAccessible(page, 'the first administrator')
  await fillAccount(page)

  await expect(page.getByRole('heading', { name: m.desk_begin_factor_title() })).toBeVisible()
  await expect(page.getByLabel(m.two_factor_qr())).toBeVisible()
  await expectAccessible(page, 'the second factor')
  const secret = await page.getByText(/^[A-Z2-7]{4}(?: [A-Z2-7]{1,4})+$/).textContent()
  await page.getByLabel(m.code_label()).fill(codeOf(secret?.replaceAll(' ', '') ?? ''))
  await page.getByRole('button', { name: m.two_factor_turn_on() }).click()
  await expect(page.getByRole('heading', { name: m.recovery_codes_title() })).toBeVisible()
  await expectAccessible(page, 'the recovery codes')
  await page.getByRole('button', { name: m.recovery_codes_kept() }).click()
  await expect(page).toHaveURL(/\/desk\/checks$/)
  await expectChecked(page)
  await publishExample(page)

  const context = await browser.newContext()
  await context.addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  const late = await context.newPage()
  expect((await late.goto(link.replace('/setup', '/desk/begin')))?.status()).toBe(200)
  await expect(late.getByRole('heading', { name: inRomanian(m.not_found_title) })).toBeVisible()
  await expectRomanian(late, 'the end of the set-up')
  await context.close()
})

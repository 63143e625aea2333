import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import {
  enableSecondFactor,
  fillAdminAccount,
  adminPassword as password,
  setupLinkIn,
} from './first-admin.ts'
import { expect } from './fixtures.ts'
import { withOwnPortal } from './own-portal.ts'
import { refusal } from './refusal.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

const test = withOwnPortal({ SEED: 'none' })
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
  const link = setupLinkIn(portal.greeting)
  const register = { first_name: 'Ilie', last_name: 'Rus', email: 'ilie@example.com', password, terms: true }
  const early = await page.request.post('/auth/register', { data: register })
  expect(early.status()).toBe(403)

  await page.goto(link)
  await expect(page.getByRole('heading', { name: m.desk_begin_title() })).toBeVisible()
  await page.getByRole('button', { name: m.desk_begin_create() }).click()
  await expect(page.getByText(refusal('name_required'))).toBeVisible()
  await expectAccessible(page, 'the first administrator')
  await fillAdminAccount(page)

  await expect(page.getByRole('heading', { name: m.desk_begin_factor_title() })).toBeVisible()
  await expect(page.getByLabel(m.two_factor_qr())).toBeVisible()
  await expectAccessible(page, 'the second factor')
  await enableSecondFactor(page)
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

import fs from 'node:fs/promises'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

test('billing reads a report of another period, and saves it as a file', async ({ page }) => {
  await signIn(page, 'billing@demo.test')
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_reports_title() }).click()
  await expect(page.getByRole('table', { name: m.desk_report_revenue() })).toBeVisible()
  await page.getByLabel(m.desk_report_choice()).selectOption(m.desk_export_trial_balance())
  const balance = page.getByRole('table', { name: m.desk_export_trial_balance() })
  await expect(balance.getByRole('row', { name: /Revenue from usage revenue:usage/ })).toBeVisible()
  await page.getByLabel(m.desk_export_period()).selectOption(m.desk_report_unit_year())
  const year = new Date().getUTCFullYear()
  await expect(page.getByText(String(year), { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: m.desk_report_after() })).toBeDisabled()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: m.desk_report_download() }).click()
  const file = await saving
  expect(file.suggestedFilename()).toBe(`trial_balance-${year}-01-01-${year}-12-31.csv`)
  expect(await fs.readFile(await file.path(), 'utf8')).toMatch(
    /^\ufeffaccount,name,name_ro,currency,opening_debit,/,
  )
  await page.getByRole('button', { name: m.desk_report_before() }).press('Enter')
  await expect(page.getByText(String(year - 1), { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/report=trial_balance.*at=/)
})

test('support has no reports', async ({ page }) => {
  await signIn(page, 'support@demo.test')
  await page.goto(deskHome)
  await expect(page.getByRole('navigation').getByRole('link', { name: m.desk_clients_title() })).toBeVisible()
  await expect(page.getByRole('link', { name: m.desk_reports_title() })).toHaveCount(0)
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('reports with their charts are accessible, in Romanian too', async ({ page, baseURL }) => {
      await signIn(page, 'billing@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      for (const [report, name] of [
        ['recurring', m.desk_report_recurring],
        ['cash', m.desk_report_cash],
      ] as const) {
        await page.goto(`${deskHome}/reports?report=${report}`)
        await expect(page.getByRole('figure', { name: inRomanian(name) })).toBeVisible()
        await expectAccessible(page, report)
        await expectRomanian(page, report)
      }
      await page.getByLabel(inRomanian(m.desk_export_period)).selectOption('quarter')
      await expect(page.getByRole('button', { name: inRomanian(m.desk_report_before) })).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(look.width)
    })
  })

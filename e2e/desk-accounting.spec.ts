import fs from 'node:fs/promises'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

test('billing exports a file for the accounts, and the list says who did', async ({ page }) => {
  await signIn(page, 'billing@demo.test')
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_accounting_title() }).click()
  await page.getByLabel(m.desk_export_file()).selectOption(m.desk_export_vat())
  // The last month has ended; this year has not.
  await expect(page.getByLabel(m.desk_export_period())).toHaveValue('month')
  await expect(page.getByText(m.desk_period_open())).toHaveCount(0)
  await page.getByLabel(m.desk_export_period()).selectOption(m.desk_period_this_year())
  await expect(page.getByText(m.desk_period_open())).toBeVisible()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: m.desk_export_verb(), exact: true }).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/^vat-\d{4}-01-01-\d{4}-\d\d-\d\d\.csv$/)
  const [headings, ...lines] = (await fs.readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(headings).toMatch(/^\ufeffcountry,category,rate,currency,.*,difference$/)
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => !line.endsWith(',0.00'))).toEqual([])
  const newest = page.getByRole('table', { name: m.desk_exports_title() }).getByRole('row').nth(1)
  await expect(newest).toContainText(m.desk_export_vat())
  await expect(newest).toContainText('Bianca')
  await expectAccessible(page, 'accounting')

  await page.getByRole('textbox', { name: m.desk_log_from() }).fill('2026-02-01')
  await page.getByRole('textbox', { name: m.desk_log_to() }).fill('2026-01-01')
  await expect(page.getByLabel(m.desk_export_period())).toHaveValue('own')
  await page.getByRole('button', { name: m.desk_export_verb(), exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('before the first one')
})

test('billing exports the sales part of SAF-T, and reads that it is not the whole declaration', async ({
  page,
}) => {
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/accounting`)
  await page.getByLabel(m.desk_export_file()).selectOption(m.desk_export_saft())
  await expect(page.getByText(m.desk_export_saft_text())).toBeVisible()
  await page.getByLabel(m.desk_export_period()).selectOption(m.desk_period_last_quarter())
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: m.desk_export_verb(), exact: true }).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/^saft-\d{4}-\d\d-01-\d{4}-\d\d-\d\d\.xml$/)
  const xml = await fs.readFile(await file.path(), 'utf8')
  expect(xml).toMatch(/^<\?xml version="1\.0".*<AuditFile xmlns="mfp:anaf:dgti:d406:declaratie:v1">/s)
  expect(xml).toMatch(/<HeaderComment>T<\/HeaderComment>.*<\/AuditFile>$/s)

  await page.getByLabel(m.desk_export_period()).selectOption(m.desk_period_last_year())
  await page.getByRole('button', { name: m.desk_export_verb(), exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('one month or one quarter')
})

test('billing is offered a whole quarter for OSS, and reads when the chosen days are none', async ({
  page,
}) => {
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/accounting`)
  const period = page.getByLabel(m.desk_export_period())
  await expect(period).toHaveValue('month')
  await page.getByLabel(m.desk_export_file()).selectOption(m.desk_export_oss())
  await expect(period).toHaveValue('quarter')
  await expect(page.getByText(m.desk_export_oss_part())).toHaveCount(0)
  await period.selectOption(m.desk_period_last_month())
  await expect(page.getByText(m.desk_export_oss_part())).toBeVisible()
  await page.getByLabel(m.desk_export_file()).selectOption(m.desk_export_vat())
  await expect(page.getByText(m.desk_export_oss_part())).toHaveCount(0)
})

test('support has no accounting', async ({ page }) => {
  await signIn(page, 'support@demo.test')
  await page.goto(deskHome)
  await expect(page.getByRole('navigation').getByRole('link', { name: m.desk_clients_title() })).toBeVisible()
  await expect(page.getByRole('link', { name: m.desk_accounting_title() })).toHaveCount(0)
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('accounting is accessible, in Romanian too', async ({ page, baseURL }) => {
      await signIn(page, 'billing@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/accounting`)
      await expect(
        page.getByRole('button', { name: inRomanian(m.desk_export_verb), exact: true }),
      ).toBeVisible()
      await page.getByLabel(inRomanian(m.desk_export_period)).selectOption('Anul acesta, până azi')
      await expect(page.getByText('Perioada nu s-a încheiat')).toBeVisible()
      await expectAccessible(page, 'accounting')
      await expectRomanian(page, 'accounting')
    })
  })

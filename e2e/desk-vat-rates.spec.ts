import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { expectRomanian } from './romanian.ts'

test('an administrator changes a VAT rate from a day on, and not over issued documents', async ({
  page,
  complaints,
}) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_vat_title() }).click()
  const table = page.getByRole('table', { name: m.desk_vat_title() })
  await page.getByRole('button', { name: m.desk_vat_change(), exact: true }).click()
  const dialog = page.getByRole('dialog')
  const fill = async (country: string, from: string) => {
    await dialog.getByLabel(m.desk_vat_country()).selectOption(country)
    await dialog.getByRole('textbox', { name: m.desk_vat_from() }).fill(from)
    await dialog.getByLabel(m.desk_vat_rate()).fill('24.5')
    await dialog.getByLabel(m.desk_vat_reduced()).fill('11; 5,5')
    await dialog.getByLabel(m.desk_vat_source()).fill('Lög nr. 50/1988')
    await dialog.getByLabel(m.desk_verb_reason()).fill('The law changes')
    await dialog.getByRole('button', { name: m.desk_vat_change_verb(), exact: true }).click()
  }
  // What is no rate is said at its field, and nothing is sent.
  await dialog.getByLabel(m.desk_vat_rate()).fill('60')
  await expect(dialog).toContainText(m.desk_vat_rate_fault())
  await dialog.getByLabel(m.desk_vat_reduced()).fill('5,5,5')
  await expect(dialog).toContainText(m.desk_vat_reduced_fault())
  await fill('RO', '')
  await expect(dialog.getByRole('textbox', { name: m.desk_vat_from() })).toBeFocused()
  await fill('RO', '2026-01-01')
  await expect(dialog.getByRole('alert')).toContainText('present rate of RO')
  await expectAccessible(page, 'change of a VAT rate')
  expect(complaints.splice(0)).toEqual([expect.stringContaining('present rate of RO')])
  // A country without clients, from a day that no document of the demo reaches.
  await fill('IS', '2099-01-01')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: m.desk_vat_from(), exact: true }).click()
  await page.getByRole('button', { name: m.desk_vat_from(), exact: true }).click()
  const row = table.getByRole('row').filter({ hasText: 'Iceland' })
  await expect(row.first()).toContainText('24.5%')
  await expect(row.first()).toContainText('11%, 5.5%')
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('billing reads the rates and what is not covered, in Romanian too', async ({ page, baseURL }) => {
      await signIn(page, 'billing@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/vat-rates`)
      await expect(page.getByRole('heading', { level: 2 })).toContainText('România')
      await expect(page.getByRole('row').filter({ hasText: 'Finlanda' })).toContainText('13,5')
      await expect(page.getByRole('button', { name: 'Schimbă o cotă' })).toHaveCount(0)
      await expectAccessible(page, 'VAT rates')
      await expectRomanian(page, 'VAT rates')
    })
  })

import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { refusal } from './refusal.ts'
import { expectRomanian } from './romanian.ts'

test('billing enters rates of days that no document states, confirms one that jumps, and asks for a fetch', async ({
  page,
  complaints,
}) => {
  await signIn(page, 'billing@demo.test')
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_rates_title() }).click()
  const needs = page.getByRole('region', { name: m.desk_rates_needs() })
  await expect(needs.getByRole('listitem').filter({ hasText: 'EUR' })).toContainText(m.desk_rates_counts())

  const dialog = page.getByRole('dialog')
  const enter = dialog.getByRole('button', { name: m.desk_rates_add_verb(), exact: true })
  const fill = async (day: string, rate: string, currency = 'usd') => {
    await page.getByRole('button', { name: m.desk_rates_add(), exact: true }).click()
    await dialog.getByLabel(m.desk_rates_currency()).fill(currency)
    await dialog.getByRole('textbox', { name: m.desk_rates_day() }).fill(day)
    await dialog.getByRole('textbox', { name: m.desk_rates_rate(), exact: true }).fill(rate)
    await dialog.getByLabel(m.desk_rates_source()).fill('BNR, by phone')
    await dialog.getByLabel(m.desk_verb_reason()).fill('The bank was closed')
    await enter.click()
  }
  await fill('2020-01-06', '4,2657', 'ron')
  await expect(dialog.getByRole('alert')).toHaveText(refusal('exchange_currency_own', { currency: 'RON' }))
  await expectAccessible(page, 'a rate by hand')
  await dialog.getByLabel(m.desk_rates_currency()).fill('usd')
  await enter.click()
  await expect(page.getByText(m.desk_rates_done({ currency: 'USD' }))).toBeVisible()
  await fill('2020-01-07', '6.5')
  await dialog.getByRole('checkbox', { name: m.desk_rates_confirmed() }).check()
  complaints.splice(0)
  await enter.click()
  await expect(dialog).toHaveCount(0)

  const table = page.getByRole('table', { name: m.desk_rates_title() })
  await table.getByRole('button', { name: m.desk_rates_day(), exact: true }).click()
  await expect(table.getByRole('row').nth(1)).toContainText('Jan 6, 2020')
  await expect(table.getByRole('row').nth(1)).toContainText('4.2657 RON')
  await expect(table.getByRole('row').nth(2)).toContainText('6.5 RON')

  await expect(needs.getByRole('listitem').filter({ hasText: 'EUR' })).toContainText(
    m.desk_rates_because({ count: 1, names: 'eur' }),
  )
  await needs.getByRole('button', { name: m.desk_rates_fetch() }).click()
  await expect(needs.getByRole('status')).toHaveText(m.desk_rates_fetched())
})

test('support, who see no money, have no rates', async ({ page }) => {
  await signIn(page, 'support@demo.test')
  await page.goto(`${deskHome}/rates`)
  await expect(page.getByText(m.not_found_title())).toBeVisible()
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the rates are accessible, in Romanian too', async ({ page, baseURL }) => {
      await signIn(page, 'billing@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/rates`)
      await expect(page.getByRole('region', { name: 'De ce cursuri ai nevoie' })).toBeVisible()
      await expect(page.getByRole('row').nth(1)).toBeVisible()
      await expectAccessible(page, 'rates')
      await expectRomanian(page, 'rates')
    })
  })

import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { withOwnPortal } from './own-portal.ts'
import { expectRomanian } from './romanian.ts'

// Rates are those of everybody's documents.
const test = withOwnPortal()

test('billing enters a rate that jumps, and confirms it', async ({ page, complaints }) => {
  await signIn(page, 'billing@demo.test')
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_rates_title(), exact: true }).click()
  await page.getByRole('button', { name: m.desk_rates_add(), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_rates_currency()).fill('usd')
  await dialog.getByRole('textbox', { name: m.desk_rates_day() }).fill('2020-01-03')
  await dialog.getByLabel(m.desk_rates_rate()).fill('9,9999')
  await dialog.getByLabel(m.desk_rates_source()).fill('BNR, by phone')
  await dialog.getByLabel(m.desk_verb_reason()).fill('The bank could not be reached')
  const enter = dialog.getByRole('button', { name: m.desk_rates_add_verb(), exact: true })
  await enter.click()
  await expect(dialog.getByRole('alert')).toContainText('Check it, and confirm it.')
  await expectAccessible(page, 'a rate that jumps')
  complaints.splice(0)
  await dialog.getByLabel(m.desk_rates_confirmed()).check()
  await enter.click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: 'BNR, by phone' })).toContainText('9.9999 RON')
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the rates that are needed are read, in Romanian too', async ({ page, baseURL }) => {
      await signIn(page, 'billing@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/rates`)
      await expect(page.getByRole('region', { name: 'De ce cursuri ai nevoie' })).toContainText('USD')
      await expectAccessible(page, 'exchange rates')
      await expectRomanian(page, 'exchange rates')
    })
  })

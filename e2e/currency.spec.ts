import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { databaseIn } from './database.ts'
import { expect } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { withOwnPortal } from './own-portal.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

const test = withOwnPortal()

const currency = (page: Page) => page.getByRole('region', { name: m.account_currency(), exact: true })

test('a new person chooses lei, sees them wherever money is shown, and keeps them with the first credit', async ({
  page,
  portal,
}) => {
  const change = databaseIn(portal.folder)
  const email = await newcomer(page)
  await page.goto(`${href('manage-account')}#currency`)
  const choice = currency(page).getByRole('combobox', { name: m.currency_label() })
  await expect(choice).toHaveValue('USD')
  await choice.selectOption('Romanian Leu (RON)')
  await currency(page).getByRole('button', { name: m.save() }).click()
  await expect(page.getByText(m.currency_saved())).toBeVisible()
  await page.reload()
  await expect(choice).toHaveValue('RON')

  await page.goto(href('payment'))
  const amount = page.getByRole('textbox', { name: m.payment_amount() })
  await expect(amount).toHaveAccessibleDescription(
    m.payment_limits({ least: 'RON 25.00', most: 'RON 50,000.00' }),
  )
  await page.getByRole('button', { name: 'RON 250.00' }).click()
  await expect(amount).toHaveValue('250')

  await change(
    `update client_entities set country_id = (select id from countries where code = 'DE')
     where client_id = (select id from clients where email = $1)`,
    email,
  )
  await page.goto(href('billing'))
  await expect(page.getByText('RON 100.00').first()).toBeVisible()
  await page.goto(`${href('manage-account')}#currency`)
  await expect(currency(page)).toContainText('Romanian Leu (RON)')
  await expect(currency(page)).toContainText(m.currency_fixed_transactions())
  await expect(choice).toHaveCount(0)
})

for (const look of looks)
  test.describe(`seen ${look.colorScheme} at ${look.width}`, () => {
    test.use(seenAs(look))

    test('the currency can be chosen by everybody, in Romanian too', async ({ page, portal }) => {
      await newcomer(page)
      await page.goto(`${href('manage-account')}#currency`)
      await expect(currency(page).getByRole('combobox')).toBeVisible()
      await expectAccessible(page, 'the currency of an account')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: portal.url }])
      await page.reload()
      const region = page.getByRole('region', { name: inRomanian(m.account_currency), exact: true })
      await expect(region.getByRole('combobox')).toContainText('leu românesc (RON)')
      await expectRomanian(page, 'the currency of an account', ['My Workspace', 'Maria Ionescu'])
    })
  })

import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

/** Opens a verb in the menu of a client. */
async function choose(page: Page, menu: string, verb: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click()
  await page.getByRole('menuitem', { name: verb }).click()
}

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('billing changes the currency of a new account, and reads later why it stays', async ({
      page,
      baseURL,
    }) => {
      const email = await newcomer(page)
      await signIn(page, 'billing@demo.test')
      await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
      await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
      await choose(page, m.desk_client_more(), m.desk_currency())
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByLabel(m.currency_label())).toHaveValue('USD')
      await dialog.getByLabel(m.desk_verb_reason()).fill('They asked for lei by phone')
      const verb = dialog.getByRole('button', { name: m.desk_currency_verb() })
      await expect(verb).toBeDisabled()
      await dialog.getByLabel(m.currency_label()).selectOption('Romanian Leu (RON)')
      await expectAccessible(page, 'the choice of a currency')
      await verb.click()
      await expect(dialog).toHaveCount(0)
      await expect(page.getByText('RON 0.00').first()).toBeVisible()

      await inDatabase(
        `insert into usage_client_days (client_id, usage_on, usages) select id, clock_today(), 1 from clients where email = $1`,
        email,
      )
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.reload()
      await choose(page, inRomanian(m.desk_client_more), inRomanian(m.desk_currency))
      await expect(dialog).toContainText(inRomanian(m.desk_currency_fixed_use))
      await expect(dialog.getByRole('combobox')).toHaveCount(0)
      await expectRomanian(page, 'a currency that stays')
    })
  })

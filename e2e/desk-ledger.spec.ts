import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { databaseIn } from './database.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { withOwnPortal } from './own-portal.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

// The books are one for everybody.
const test = withOwnPortal()

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('an administrator has the ledger verified, and reads where it differs', async ({
      page,
      portal,
      baseURL,
    }) => {
      await signIn(page, 'admin@demo.test')
      await page.goto(`${deskHome}/checks`)
      const ledger = page.getByRole('region', { name: m.desk_ledger(), exact: true })
      const verify = async () => {
        await ledger.getByRole('button', { name: m.desk_ledger_verify() }).click()
        const dialog = page.getByRole('dialog')
        await confirmVerb(dialog, m.desk_ledger_verb(), 'After the restore')
      }
      await verify()
      await expect(ledger.getByText(m.desk_ledger_agrees())).toBeVisible({ timeout: 30_000 })
      await expect(ledger.getByText(m.desk_ledger_differences({ differences: 0 }))).toBeVisible()
      await expectAccessible(page, 'a ledger that agrees')

      const change = databaseIn(portal.folder)
      const spoil = (by: number) =>
        // As an operator could who switches the rules off.
        change(`set session_replication_role = replica;
          update account_balances set account_balance = account_balance + ${by}
          where client_id = (select id from clients where email = 'ana@demo.test')`)
      await spoil(1)
      await verify()
      await expect(ledger.getByText(m.desk_ledger_differs())).toBeVisible({ timeout: 30_000 })
      await expect(ledger.getByRole('listitem').filter({ hasText: m.desk_ledger_client() })).toContainText(
        /client \d+/,
      )
      await expectAccessible(page, 'a ledger that differs')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.reload()
      await expect(page.getByRole('region', { name: inRomanian(m.desk_ledger), exact: true })).toContainText(
        inRomanian(m.desk_ledger_differs),
      )
      await expectRomanian(page, 'a ledger that differs')
      await spoil(-1)
    })
  })

import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { payer } from './payer.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

/** Opens the documents of a client as billing. */
async function openDocuments(page: Page, email: string): Promise<void> {
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  const parts = page.getByRole('navigation', { name: m.desk_client_title() })
  await parts.getByRole('link', { name: m.desk_tab_documents(), exact: true }).click()
}

/** The last day that a bill of the open month has. */
const lastDay = `(select (clock_now() at time zone time_zone - interval '3 hours')::date - 1 from operator_profile)`

/** On the last complete day the panel of a client used so much, by the prices of its plan, and it is charged. */
async function useYesterday(email: string, dollars: number): Promise<void> {
  await inDatabase(
    `insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events)
     select ${lastDay}, n.id, 'server/web', m.id, $2::numeric / p.unit_price + p.included_per_day, 1
     from clients c join panels n on n.client_id = c.id cross join meters m
       cross join lateral usage_price(c.id, 'USD', m.id, 'server', ${lastDay}, n.plan_id) p
     where c.email = $1 and p.unit_price > 0 and p.tiers is null order by m.id limit 1`,
    email,
    dollars,
  )
  await inDatabase('select usage_rate(5000)')
  await inDatabase(`select charge_client_day(id, ${lastDay}) from clients where email = $1`, email)
}

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('billing reads what a bill of the open month would ask for, and issues it', async ({
      page,
      baseURL,
    }) => {
      const email = await payer(page)
      const portal = await api(page)
      const [project] = await portal.list('projects')
      const to = { project: { type: 'projects', id: project?.id ?? '' } }
      await portal.create('panels', { name: 'shop', plan_code: 'start' }, to)
      await useYesterday(email, 30)

      await openDocuments(page, email)
      await page.getByRole('button', { name: m.desk_open_bill() }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog).toContainText('use of $30.00; credit pays $20.00')
      await expect(dialog).toContainText('asks for $12.10, VAT of $2.10 included')
      await expectAccessible(page, 'the bill of an open month')
      await confirmVerb(dialog, m.desk_open_bill_verb(), 'The account is closed tomorrow')
      const documents = page.getByRole('table', { name: m.desk_tab_documents() })
      await expect(documents.getByText('$12.10')).toBeVisible()

      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.reload()
      await page.getByRole('button', { name: inRomanian(m.desk_open_bill) }).click()
      await expect(dialog).toContainText('Nu este nimic de facturat până la sfârșitul zilei')
      await expectRomanian(page, 'the bill of an open month')
    })
  })

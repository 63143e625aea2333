import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { payer } from './payer.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

/** A card payment of the client that went back by a refund and by its bank. */
const giveBackTwice = (email: string) =>
  inDatabase(
    `with paid as (insert into payments (client_id, purpose, provider, provider_ref, currency, net, vat, gross, vat_treatment,
        vat_country, vat_rate, status, settled_at, refunded)
      select id, 'deposit', 'sandbox', 'pi_' || gen_random_uuid(), 'USD', 50, 10.50, 60.50, 'domestic', 'RO', 21, 'refunded',
        clock_now(), 60.50 from clients where email = $1 returning id, client_id),
    refund as (insert into payment_refunds (payment_id, client_id, net, vat, gross, reason, status)
      select id, client_id, 50, 10.50, 60.50, 'Leaves', 'succeeded' from paid returning id, payment_id, client_id)
    insert into payment_debts (client_id, payment_id, refund_id, amount)
      select client_id, payment_id, id, 60.50 from refund`,
    email,
  )

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('billing writes off what a client owes for a payment that went back twice', async ({
      page,
      baseURL,
    }) => {
      const email = await payer(page)
      await giveBackTwice(email)
      await signIn(page, 'billing@demo.test')
      await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
      await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
      const parts = page.getByRole('navigation', { name: m.desk_client_title() })
      await parts.getByRole('link', { name: m.desk_tab_payments(), exact: true }).click()
      const payment = page.getByRole('row').filter({ hasText: '$60.50' })
      await expect(payment).toContainText(m.desk_debt_open({ amount: '$60.50' }))
      await expect(payment).toContainText(m.refund_sent({ amount: '$60.50' }))
      await expect(payment).not.toContainText('credit note')
      // The sentences stand below each other, on a phone too.
      const state = await payment.getByText(m.refund_sent({ amount: '$60.50' })).boundingBox()
      const debt = await payment.getByText(m.desk_debt_open({ amount: '$60.50' })).boundingBox()
      expect(debt?.y ?? 0).toBeGreaterThanOrEqual((state?.y ?? 0) + (state?.height ?? 0))
      const dialog = page.getByRole('dialog')

      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.reload()
      await page.getByRole('button', { name: inRomanian(m.desk_debt), exact: true }).click()
      await expect(dialog).toContainText(inRomanian(() => m.desk_debt_title({ amount: '$60.50' })))
      await expectRomanian(page, 'the write-off of a debt')
      await page.context().addCookies([{ name: 'lang', value: 'en', url: baseURL ?? '' }])
      await page.reload()

      await payment.getByRole('button', { name: m.desk_debt(), exact: true }).click()
      await expect(dialog).toContainText('$60.50')
      await expectAccessible(page, 'the write-off of a debt')
      await confirmVerb(dialog, m.desk_debt_verb(), 'It was our mistake')
      await expect(page.getByText(m.desk_debt_done())).toBeVisible()
      await expect(payment).not.toContainText(m.desk_debt_open({ amount: '$60.50' }))
      await expect(payment.getByRole('button', { name: m.desk_debt(), exact: true })).toHaveCount(0)
      await parts.getByRole('link', { name: m.desk_tab_money(), exact: true }).click()
      await expect(page.getByRole('row').filter({ hasText: m.log_write_off() })).toContainText('$60.50')
    })
  })

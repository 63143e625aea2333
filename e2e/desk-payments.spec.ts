import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

/** A payment of a client of the demo that failed, and one that their bank asks about. */
async function makePayments(): Promise<void> {
  const values = `client_id, purpose, provider, provider_ref, currency, net, vat, gross, vat_treatment, vat_country, vat_rate, status,
    failure_code, failure_message, settled_at`
  const of = (ref: string, gross: number, state: string) =>
    `insert into payments (${values}) select min(id), 'deposit', 'sandbox', '${ref}', 'USD', ${gross}, 0, ${gross}, 'domestic', 'RO', 0,
      ${state} from clients where email = 'ana@demo.test' on conflict (provider, provider_ref) do nothing`
  await inDatabase(
    of('pi_desk_failed', 77.31, `'failed', 'insufficient_funds', 'Your card has insufficient funds.', null`),
  )
  await inDatabase(of('pi_desk_disputed', 88.42, `'disputed', null, null, clock_now()`))
  await inDatabase(`insert into payment_disputes (payment_id, provider, provider_ref, amount, status, answer_by)
    select id, 'sandbox', 'dp_desk', 88.42, 'open', now() + interval '5 days' from payments
    where provider_ref = 'pi_desk_disputed' on conflict (provider, provider_ref) do nothing`)
}

/** What the sandbox holds of the dispute. */
const makeDispute = () =>
  inDatabase(`insert into sandbox_objects (ref, made_by, kind, body) values ('dp_desk', 'dispute:pi_desk_disputed', 'dispute',
    '{"paymentRef": "pi_desk_disputed", "amount": "88.42", "status": "open"}') on conflict do nothing`)

/** Three nights of a provider, the last of which lacks 12.34 after a payout. */
const makeNights = () =>
  inDatabase(`with sent as (insert into provider_transfers (provider, ref, kind, currency, amount, moved_at, read_at)
      values ('stripe', 'txn_desk', 'payout', 'RON', -100, '2026-10-03T00:00:00Z', '2026-10-03T04:00:00Z') on conflict do nothing)
    insert into provider_balances (provider, currency, day, held, booked, disputed, read_at)
    select 'stripe', 'RON', day::date, held, booked, 0, day::timestamptz + interval '4 hours'
    from (values ('2026-10-01', 0, 0), ('2026-10-02', 271.09, 271.09), ('2026-10-03', 158.75, 271.09)) n (day, held, booked)
    on conflict do nothing`)

test.beforeAll(makePayments)
test.beforeAll(makeDispute)
test.beforeAll(makeNights)

test('billing sees all payments, which failed and why, and until when a dispute is answered', async ({
  page,
}) => {
  await signIn(page, 'billing@demo.test')
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_payments_title(), exact: true }).click()
  const failed = page.getByRole('row').filter({ hasText: '$77.31' })
  await expect(page.getByRole('row').filter({ hasText: '$88.42' })).toContainText(m.payment_disputed())
  await expect(failed).toContainText(m.payment_failed())
  await expect(failed).toContainText(m.desk_refused_funds())
  await page.getByLabel(m.desk_queue_show()).selectOption(m.desk_payments_disputes())
  await expect(page).toHaveURL(/state=disputes/)
  const dispute = page.getByRole('row').filter({ hasText: '$88.42' })
  await expect(dispute).toContainText(m.desk_dispute_open())
  await expect(dispute).toContainText(m.desk_dispute_at({ provider: 'sandbox', ref: 'dp_desk' }))
  await expectAccessible(page, 'disputes')
  await page.goto(deskHome)
  await page
    .getByRole('main')
    .getByRole('link', { name: /dispute/i })
    .click()
  await expect(page).toHaveURL(/payments\?state=disputes/)
})

test('billing finds a payment by its reference, client, amount and day, whatever its state is', async ({
  page,
}) => {
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/payments`)
  const rows = page.getByRole('table', { name: m.desk_payments_title() }).getByRole('row')
  const disputed = rows.filter({ hasText: '$88.42' })
  const search = page.getByRole('searchbox', { name: m.desk_payments_search() })
  await search.fill('PI_DESK_D')
  await expect(disputed).toContainText('pi_desk_disputed')
  await expect(rows).toHaveCount(2)
  await expect(search).toBeFocused()
  await expect(page.getByLabel(m.desk_queue_show())).toHaveValue('all')
  await search.fill('dp_desk')
  await expect(disputed).toHaveCount(1)
  await search.fill('ana@demo.test')
  await expect(disputed).toHaveCount(1)
  const amount = page.getByRole('searchbox', { name: m.column_total() })
  await amount.fill('77,31')
  await expect(rows.filter({ hasText: '$77.31' })).toHaveCount(1)
  await expect(disputed).toHaveCount(0)
  await amount.fill('77,3x')
  await expect(amount).toHaveAttribute('aria-invalid', 'true')
  await amount.fill('')
  await page.getByLabel(m.column_status()).selectOption(m.payment_disputed())
  await expect(rows).toHaveCount(2)
  await expect(disputed).toHaveCount(1)
  await page.getByLabel(m.desk_report_provider()).selectOption('Stripe')
  await expect(page.getByText(m.nothing_found())).toBeVisible()
  await expectAccessible(page, 'payments without a match')
})

test('billing answers a dispute, once', async ({ page }) => {
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/payments?state=disputes`)
  const dispute = page.getByRole('row').filter({ hasText: '$88.42' })
  await dispute.getByRole('button', { name: m.desk_dispute_answer() }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_dispute_evidence_label()).fill('The server ran until yesterday')
  await dialog.getByLabel(m.desk_verb_reason()).fill('It was used')
  await expectAccessible(page, 'the answer to a dispute')
  await dialog.getByRole('button', { name: m.desk_dispute_answer_verb() }).click()
  await expect(dialog).toHaveCount(0)
  await expect(dispute).toContainText(/Answered by/)
  await expect(dispute.getByRole('button')).toHaveCount(0)
})

test('billing sees what the provider paid out and holds, and since when it differs from the books', async ({
  page,
}) => {
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/payments`)
  await page.getByLabel(m.desk_queue_show()).selectOption(m.desk_payouts())
  await expect(page).toHaveURL(/state=payouts/)
  const account = page.getByRole('listitem').filter({ hasText: 'Stripe RON' })
  await expect(account).toContainText(m.desk_payouts_differs())
  await expect(account).toContainText(/holds .*12\.34 less than the books say, the same since .*3/)
  const night = page.getByRole('row').filter({ hasText: '158.75' })
  await expect(night).toContainText('100.00')
  await expect(night).toContainText('171.09')
  await page.getByRole('button', { name: m.desk_payouts_compare(), exact: true }).click()
  await expect(page.getByText(m.desk_payouts_compare_done())).toBeVisible()
  await expectAccessible(page, 'payouts')
})

test('support has no payments', async ({ page }) => {
  await signIn(page, 'support@demo.test')
  await page.goto(deskHome)
  const navigation = page.getByRole('navigation')
  await expect(navigation.getByRole('link', { name: m.desk_documents_title() })).toBeVisible()
  await expect(navigation.getByRole('link', { name: m.desk_payments_title(), exact: true })).toHaveCount(0)
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('payments are accessible, in Romanian too', async ({ page, baseURL }) => {
      await signIn(page, 'billing@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/payments`)
      const failed = page.getByRole('row').filter({ hasText: '$77.31' })
      await expect(failed).toContainText('Refuzată')
      await expect(failed).toContainText(inRomanian(m.desk_refused_funds))
      // The provider says it in English too, which `expectRomanian` passes over as a quotation.
      await expect(failed).not.toContainText('Your card')
      await expectAccessible(page, 'payments')
      // The names of providers are the same in each language.
      await expectRomanian(page, 'payments', ['Stripe'])
      await page.goto(`${deskHome}/payments?state=payouts`)
      await expect(page.getByRole('listitem').filter({ hasText: 'Stripe RON' })).toContainText('Diferă')
      await expectAccessible(page, 'payouts')
      await expectRomanian(page, 'payouts', ['Stripe', 'Sandbox'])
    })
  })

import { sql } from 'kysely'
import { expect } from 'vitest'
import { type Account, makeAccount } from './account.ts'
import { makeBuyer, newSeries } from './documents.ts'
import { businessTime } from './money.ts'
import type { Visitor } from './portal.ts'
import { makeMember } from './staff.ts'
import type { stripePortal } from './stripe-portal.ts'

type Parts = Awaited<ReturnType<typeof stripePortal>>
type Stripe = Pick<Parts, 'db' | 'stripe' | 'deliver' | 'workOff'>
type Paid = { readonly id: number; readonly provider_ref: string | null }

/**
 * On 3 October 2026 a Romanian client with a card and so many panels, and an administrator. The operator's currency is the
 * client's, and a refund succeeds at once.
 */
export async function beginWithCard(
  { portal, db, stripe, addCard }: Pick<Parts, 'portal' | 'db' | 'stripe' | 'addCard'>,
  panels = 1,
): Promise<{ ana: Account; admin: Visitor }> {
  stripe.refundsAre = 'succeeded'
  await sql`update operator_profile set base_currency = 'USD'`.execute(db)
  await businessTime(portal.pool, '2026-10-03T10:00:00Z')
  await newSeries(portal.pool)
  const ana = await makeAccount(portal.pool, { projects: 1, panels, opening: null })
  await makeBuyer(portal.pool, ana, { country: 'RO' })
  await addCard(ana)
  return { ana, admin: portal.staff((await makeMember(portal.pool, 'admin')).admin) }
}

/** Disputes of card payments by way of Stripe, and what they leave in the books of a client. */
export function disputesOn({ db, stripe, deliver, workOff }: Stripe) {
  /** The payments of a client, oldest first. */
  const payments = (clientId: number): Promise<Paid[]> =>
    db
      .selectFrom('payments')
      .select(['id', 'provider_ref'])
      .where('client_id', '=', clientId)
      .orderBy('id')
      .execute()

  /** What a bank decides about a dispute, of which no message has come yet. A name tells two disputes of a payment apart. */
  function decided(status: 'needs_response' | 'lost' | 'won', amount: number, of: Paid, name = ''): string {
    const about = { object: 'dispute', payment_intent: of.provider_ref, currency: 'usd' }
    const id = `dp_${of.id}${name}`
    stripe.things.set(id, { id, ...about, amount, status, balance_transactions: [] })
    return id
  }

  /** The bank's word about a dispute, twice. */
  async function told(...words: Parameters<typeof decided>) {
    const id = decided(...words)
    for (let n = 0; n < 2; n++) await deliver(stripe.event('charge.dispute.updated', { id }))
    await workOff()
  }

  /** The books of a client, and the unused advances of the documents, whose VAT has to be that of the books. */
  async function booksOf(clientId: number) {
    const moved = (
      kind: string,
      sign: 1 | -1,
    ) => sql`(select coalesce(sum(e.amount * ${sql.lit(sign)}), 0)::float from ledger_entries e
      join ledger_transactions t on t.id = e.transaction_id join ledger_accounts a on a.id = e.account_id
      where a.kind = ${kind} and t.client_id = ${clientId})`
    const held = (kind: string) => sql`(select sum(balance)::float from ledger_accounts
      where client_id = ${clientId} and kind = ${kind})`
    const { rows } = await sql<Record<string, number>>`select
        ${held('client_balance')} as balance, ${held('client_vat_due')} as vat_due, ${moved('vat_payable', 1)} as vat,
        ${moved('psp_clearing', -1)} as provider, ${moved('writeoff', -1)} as loss,
        (select coalesce(sum(vat), 0)::float from invoices where client_id = ${clientId} and kind <> 'proforma') as documents,
        (select coalesce(sum(i.net - coalesce(c.used, 0)), 0)::float from invoices i left join (
          select advance_id, sum(amount) as used from advance_consumptions group by 1) c on c.advance_id = i.id
          where i.client_id = ${clientId} and i.kind = 'fiscal' and i.reason = 'advance') as advances,
        (select count(*)::int from payment_debts where client_id = ${clientId}) as debts,
        (select coalesce(sum(amount - set_off - written_off), 0)::float from payment_debts
          where client_id = ${clientId} and ended_at is null) as owed,
        (select count(*)::int from staff_alerts a join payments p on p.id = a.payment_id
          where p.client_id = ${clientId} and a.kind <> 'disputed' and a.resolved_at is null) as alerts`.execute(
      db,
    )
    const { documents, ...books } = rows[0] ?? {}
    expect(books.vat).toBe(documents)
    return books
  }

  /** The kinds of the open alerts of a payment, but that it is disputed. */
  async function alertsOf(paymentId: number): Promise<string[]> {
    const { rows } = await sql<{ kind: string }>`select kind from staff_alerts
      where about = ${`payment ${paymentId}`} and kind <> 'disputed' and resolved_at is null order by kind`.execute(
      db,
    )
    return rows.map(({ kind }) => kind)
  }

  return { payments, decided, told, booksOf, alertsOf }
}

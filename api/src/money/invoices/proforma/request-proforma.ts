import Big from 'big.js'
import { sql } from 'kysely'
import { amountsOf, assertWithin } from '#money/currency-policies.ts'
import { isOwedBill, statusIds } from '#money/invoice-statuses.ts'
import { assertIssuable } from '#money/invoices/document-readiness.ts'
import { advanceFor, issueProforma, type Part, type Sum } from '#money/invoices/invoices.ts'
import { rounded } from '#money/minor-units.ts'
import { billedAccount } from '#money/payments/payment-scope.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'

/**
 * The maximum number of unpaid proformas of an account, so that nobody uses up a series of numbers. A cancelled one counts for a day
 * from its issue.
 */
const mostOpen = 20

type Input = { readonly client_id?: number | undefined; readonly net?: number | undefined }

/** The account of a request: the actor's, or for staff the one they name. */
async function accountOf({ tx, actor }: Context, { client_id }: Input): Promise<number> {
  if (!actor.staff) return billedAccount(actor, client_id)
  const found = await tx
    .selectFrom('clients')
    .select('id')
    .where('id', '=', client_id ?? 0)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw refuse('not_found', { type: 'clients' })
  return found.id
}

type Owed = { readonly sum: Sum; readonly sale?: Part }

/**
 * All that an account owes, with VAT: its open bills, and the debt on the balance that no bill asks for yet, with the usage
 * of today, so that a transfer asks for what a card would pay.
 */
async function owed(tx: Database, clientId: number): Promise<Owed> {
  const { rows } = await sql<{ bills: string; currency: string; balance: string }>`
    select coalesce(sum(i.total - i.paid - i.credited), 0) as bills, max(u.code) as currency,
      max(b.account_balance - greatest(k.used - b.credit_balance, 0)) + coalesce(sum(round((i.total - i.paid - i.credited) * i.net / nullif(i.total, 0), 2)), 0) as balance
    from account_balances b join clients c on c.id = b.client_id join currencies u on u.id = c.currency_id
      cross join lateral (select uncharged_use(c.id, clock_today()) as used) k
      left join invoices i on i.client_id = b.client_id and ${isOwedBill('i')}
    where b.client_id = ${clientId} group by b.client_id`.execute(tx)
  const bills = new Big(rows[0]?.bills ?? 0)
  const debt = rounded(new Big(rows[0]?.balance ?? 0).neg(), rows[0]?.currency ?? '', Big.roundUp)
  if (debt.lte(0)) {
    if (bills.lte(0)) throw refuse('nothing_owed')
    return { sum: { gross: bills.toFixed(2) }, sale: { gross: '0' } }
  }
  const { net, vat, ruling } = await advanceFor(tx, { clientId, sum: { net: debt.toFixed(2) } })
  const gross = net.plus(vat)
  return {
    sum: { gross: bills.plus(gross).toFixed(2) },
    sale: { gross: gross.toFixed(2), quoted: ruling.decision.treatment },
  }
}

/** Throws `proformas_most`. Concurrent requests for the account wait until this one has committed. */
async function assertFew(tx: Database, clientId: number): Promise<void> {
  await tx.selectFrom('clients').select('id').where('id', '=', clientId).forNoKeyUpdate().execute()
  const { rows } = await sql<{ many: boolean }>`select count(*) >= ${mostOpen} as many from invoices
    where client_id = ${clientId} and kind = 'proforma' and (invoice_status_id in ${statusIds('unpaid')}
      or (invoice_status_id in ${statusIds('cancelled')} and issued_at > clock_now() - interval '1 day'))`.execute(
    tx,
  )
  if (rows[0]?.many) throw refuse('proformas_most', { most: mostOpen })
}

/**
 * Issues a proforma for a client or staff: for an amount for the balance, or for all that is owed. It is paid by transfer
 * or by card. Throws `billing_not_open`, `transfer_not_offered`, `nothing_owed`, `proformas_most`, and like `issueProforma`.
 */
export async function requestProforma(context: Context, { input }: { readonly input: Input }) {
  const { tx, actor } = context
  const clientId = await accountOf(context, input)
  if (!actor.staff) {
    const { deposit_least: least, deposit_most: most } = await amountsOf(tx, clientId)
    assertWithin([{ pointer: '/data/net', amount: input.net, least, most }])
  }
  await assertFew(tx, clientId)
  const asked: Owed =
    input.net === undefined ? await owed(tx, clientId) : { sum: { net: input.net.toFixed(2) } }
  const { operator, billed } = await advanceFor(tx, { clientId, ...asked })
  if (operator.seller.iban === null) throw refuse('transfer_not_offered')
  await assertIssuable(tx, operator, billed.currency)
  const { id, fullNumber, total } = await issueProforma(tx, { clientId, ...asked })
  return { invoice_id: id, full_number: fullNumber, total: Number(total), currency: billed.currency }
}

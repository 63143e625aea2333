import { transactions } from '@portico/contract/resources/transactions.ts'
import { type SqlBool, sql } from 'kysely'
import { isUnshown } from '#money/bank/by-hand.ts'
import { dropTransfer, recordSentTransfer } from '#money/corrections/transfers-due.ts'
import { writeOffDebt } from '#money/corrections/write-off-debt.ts'
import { reason } from '#platform/errors/problem.ts'
import { everyone } from '#platform/jsonapi/declare/policy.ts'
import { outside, serve } from '#platform/jsonapi/declare/serve.ts'
import type { SymbolicActor } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { account, accountOrStaff, moneyStaff, moneyWriters, moneyWritersAlone } from '#sharing/reach.ts'
import { isRefundable } from './refunds/refundable-deposits.ts'
import { requestRefund } from './refunds/request-refund.ts'
import { undoTransfer } from './refunds/undo-transfer.ts'
import { beginPayment, cancelByPerson, confirmPayment, newPayment, quoteForPerson } from './start-payment.ts'

// Returned only in the response to the creation, and not stored.
const returnedOnce = () => sql<string | null>`null::text`

/** Staff who see an account as its owner does see no cards and no bank accounts, and neither does support. */
function seesMeans({ view, staff }: SymbolicActor) {
  if (view) return sql<SqlBool>`false`
  return staff ? moneyStaff.staff(staff) : sql<SqlBool>`true`
}

const ofCard = (column: 'brand' | 'last4') => (_: unknown, actor: SymbolicActor) =>
  sql<
    string | null
  >`(select k.${sql.ref(column)} from cards k where k.id = payments.card_id and ${seesMeans(actor)})`

/** Everyone who reads a payment may read the account's documents. */
const refunds = (
  _: unknown,
  actor: SymbolicActor,
) => sql`(select coalesce(json_agg(json_build_object('id', r.id, 'status',
    case when r.reversal_id is null then r.status else 'returned' end, 'net', r.net, 'vat', r.vat, 'gross', r.gross,
    'failure_code', r.failure_code, 'iban_end', case when ${seesMeans(actor)} then right(r.iban, 4) end, 'credit_note', n.full_number, 'restored_invoice', i.full_number,
    'created_at', to_char(r.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by r.id), '[]')
  from payment_refunds r left join invoices n on n.id = r.credit_note_id
    left join invoices i on i.id = r.restored_invoice_id where r.payment_id = payments.id)`

const debt = sql`(select coalesce(sum(d.amount - d.set_off - d.written_off), 0) from payment_debts d
  where d.payment_id = payments.id and d.ended_at is null)`

const billing = account('payments.client_id', 'billing')

export default serve(transactions, {
  table: 'payments',
  policy: {
    read: accountOrStaff('payments.client_id', 'billing'),
    create: everyone,
    quote: everyone,
    confirm: billing,
    cancel: billing,
    refund: { ...billing, ...moneyWriters },
    recordSentTransfer: moneyWritersAlone,
    dropTransfer: moneyWritersAlone,
    undoTransfer: moneyWritersAlone,
    writeOffDebt: moneyWritersAlone,
  },
  account: 'client_id',
  everyAccount: 'accounts',
  columns: {
    client_secret: returnedOnce,
    publishable_key: returnedOnce,
    challenge_url: returnedOnce,
    refunds,
    debt: () => debt,
    is_refundable: () => isRefundable(sql`payments`),
    is_by_hand: (_, { staff }) =>
      staff
        ? sql<SqlBool>`exists (select from payments p where p.id = payments.id and ${isUnshown})`
        : sql<SqlBool>`false`,
    card_brand: ofCard('brand'),
    card_last4: ofCard('last4'),
  },
  fill: newPayment,
  begun: beginPayment,
  relationships: { client: 'client_id', card: 'card_id', invoice: 'document_id' },
  filters: {
    client_id: 'client_id',
    // Everyone who sees a row may do this.
    accounts: () => sql<SqlBool>`true`,
    status: 'status',
    method: 'method',
    purpose: 'purpose',
    from: (_, value) => sql<SqlBool>`payments.created_at >= (${value}::date)::timestamp at time zone 'utc'`,
    to: (_, value) => sql<SqlBool>`payments.created_at < (${value}::date + 1)::timestamp at time zone 'utc'`,
  },
  order: '-createdAt',
  constraints: {
    payments_one_going_of_proforma: { field: 'invoice_id', refusal: reason('bill_payment_pending') },
    payments_one_bill: { field: 'invoice_id', refusal: reason('bill_payment_pending') },
  },
  actions: {
    quote: quoteForPerson,
    confirm: outside(confirmPayment),
    cancel: outside(cancelByPerson),
    refund: requestRefund,
    recordSentTransfer,
    dropTransfer,
    undoTransfer,
    writeOffDebt,
  },
})

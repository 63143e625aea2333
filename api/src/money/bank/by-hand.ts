import Big from 'big.js'
import { type SqlBool, sql } from 'kysely'
import { lockPayment, type Payment } from '#money/payments/payment-rows.ts'
import type { RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { isBrought } from './line-states.ts'

/** The bank may book money so many days after the day that staff typed, and so many before it. */
const bookedWithin = { after: 35, before: 3 }

/**
 * SQL: a transfer `p` that a person recorded by hand and nobody took back. One that was refunded counts: only a refund that a
 * person sends to an account has one, and its money has left whether it ever came or not.
 */
export const isByHand = sql<SqlBool>`p.provider = 'bank' and p.bank_line_id is null and p.recorded_by is not null
  and (p.status <> 'refunded' or exists (select from payment_refunds r where r.payment_id = p.id and r.iban is not null
    and r.status = 'succeeded'))`

/** SQL: a transfer `p` by hand that no line shows yet. */
export const isUnshown = sql<SqlBool>`${isByHand} and not exists (select from bank_lines o where o.payment_id = p.id)`

/** SQL: whether an open line may show a transfer `p` recorded by hand, whatever was typed for its reference. */
const mayShow = (line: 'bank_lines' | 'l') => sql<SqlBool>`${sql.ref(line)}.state = 'open' and ${isUnshown}
  and p.currency = ${sql.ref(line)}.currency and p.gross = ${sql.ref(line)}.amount
  and p.received_on between ${sql.ref(line)}.booked_on - ${sql.lit(bookedWithin.after)}
    and ${sql.ref(line)}.booked_on + ${sql.lit(bookedWithin.before)}`

/** SQL: from the transfers `p` that a row of `bank_lines` may show. */
export const transfersShownBy = sql`from payments p where ${mayShow('bank_lines')}`

/** SQL: the ids of the lines that may show a transfer, for a filter: looking from each line is slow with many of both. */
export const linesThatMayShow = sql`(select l.id from bank_lines l join payments p on ${mayShow('l')})`

type Typed = {
  readonly reference: string | null
  readonly receivedOn: string
  readonly amount: string
  readonly lineId?: number
}

/** SQL: whether the bank gave the reference of a line to other payments too, as it does with those of a batch. */
const isShared = (lineId: number) => sql`exists (select from bank_lines l join bank_lines o on o.iban = l.iban
    and coalesce(o.bank_reference, o.reference) = coalesce(l.bank_reference, l.reference)
  where l.id = ${lineId} and o.id <> l.id and ${isBrought('o')})`

/**
 * The transfer by hand that was typed with the reference of a line, near its day, and that no line shows, locked: it is the money of
 * the line. Months away a bank uses its references again. With another amount it was mistyped, unless the reference is that of several
 * payments.
 */
export async function holdTyped(
  tx: Database,
  { reference, receivedOn, amount, lineId = 0 }: Typed,
): Promise<Payment | undefined> {
  if (reference === null) return undefined
  const { rows } = await sql<{ id: number }>`select p.id from payments p
    where p.provider_ref = ${reference} and ${isUnshown} and p.received_on between
      ${receivedOn}::date - ${sql.lit(bookedWithin.after)} and ${receivedOn}::date + ${sql.lit(bookedWithin.before)}
      and (p.gross = ${amount} or not ${isShared(lineId)})
    for update`.execute(tx)
  return rows[0] && lockPayment(tx, rows[0].id)
}

type Line = Pick<RowOf<'bank_lines'>, 'amount' | 'currency'>

/**
 * The payment that a line shows, locked. Throws `bank_payment_unfit`, `bank_payment_matched`, `bank_line_currency`,
 * `bank_payment_amount`.
 */
export async function holdByHand(tx: Database, id: number, { amount, currency }: Line): Promise<Payment> {
  const payment = await lockPayment(tx, id)
  const { rows } = await sql`select from payments p where p.id = ${id} and ${isByHand}`.execute(tx)
  if (rows.length === 0) throw refuse('bank_payment_unfit', { payment: id })
  await assertNoOtherLine(tx, id)
  if (payment.currency !== currency)
    throw refuse('bank_line_currency', { currency, wanted: payment.currency })
  if (!new Big(payment.gross).eq(amount))
    throw refuse('bank_payment_amount', { payment: id, paid: payment.gross, amount })
  return payment
}

/** Throws `bank_payment_matched` where another line is the payment's already: two accounts may show one reference. */
export async function assertNoOtherLine(tx: Database, payment: number): Promise<void> {
  const found = await tx
    .selectFrom('bank_lines')
    .select('id')
    .where('payment_id', '=', payment)
    .executeTakeFirst()
  if (found) throw refuse('bank_payment_matched', { payment })
}

import Big from 'big.js'
import { type RawBuilder, sql } from 'kysely'
import { leftOf, waitsForCredit } from '#money/invoices/credit-notes.ts'
import { vatOn } from '#money/invoices/vat/vat.ts'
import { rounded } from '#money/minor-units.ts'
import type { Database } from '#platform/db/pool.ts'

/** A part of a payment: what a deposit still holds, what was used of it, what a bill got, or what has left again. */
export type Part = {
  readonly kind: 'unused' | 'used' | 'bill' | 'debt'
  /** The invoice of the deposit, or the bill. */
  readonly invoiceId: number
  readonly net: Big
  readonly vat: Big
}

export const least = (a: Big, b: Big): Big => (a.lt(b) ? a : b)

/**
 * SQL: the ids of an invoice, of those whose place it took after a credit note, and of all that took the place of one of these,
 * newest first, as JSON.
 */
export const withReplacements = (id: RawBuilder<unknown>) => sql`(with recursive origins as (
    select ${id} as id
    union
    select n.corrects_id from origins o join invoice_lines l on l.invoice_id = o.id and l.kind = 'advance'
      join invoices n on n.id = l.ref_invoice_id where n.corrects_id is not null
  ), replaced as (
    select id from origins
    union
    select x.id from replaced r join invoices n on n.corrects_id = r.id
      join invoice_lines l on l.ref_invoice_id = n.id and l.kind = 'advance'
      join invoices x on x.id = l.invoice_id and x.kind = 'fiscal' and x.reason = 'advance')
  select jsonb_agg(id order by id desc) from replaced)`

/**
 * SQL: the ids of a payment's own deposits, as a set: its invoice, the first one, those of what was won back for it and no bill asked
 * for, and all that took the place of one.
 */
export const ownDepositsOf = (payment: RawBuilder<unknown>) => sql`(select distinct o.id::int8 as id from (
    select ${payment}.advance_invoice_id as id
    union all
    select ${payment}.first_deposit_id
    union all
    select a.deposit_id from payment_disputes d join dispute_parts a on a.dispute_id = d.id
      where d.payment_id = ${payment}.id and a.deposit_id is not null) first
  cross join lateral jsonb_array_elements_text(${withReplacements(sql`first.id`)}) o (id))`

/** The parts of a deposit's invoice. */
export async function depositParts(tx: Database, invoiceId: number, currency: string): Promise<Part[]> {
  const left = await leftOf(tx, invoiceId)
  const whole = { net: new Big(left.net), vat: new Big(left.vat) }
  const free = whole.net.minus(left.used)
  const net = free.gt(0) ? free : new Big(0)
  const vat = net.eq(whole.net) ? whole.vat : vatOn(net, left.rate, currency)
  const waiting = await waitingFor(tx, invoiceId)
  const used = { net: whole.net.minus(net).minus(waiting.net), vat: whole.vat.minus(vat).minus(waiting.vat) }
  return [
    { kind: 'unused', invoiceId, net, vat },
    { kind: 'used', invoiceId, ...used },
  ]
}

/** The amount of a deposit's used part that was lost before, to be credited at the next close. */
async function waitingFor(tx: Database, invoiceId: number) {
  const { rows } = await sql<{ net: string; vat: string }>`
    select coalesce(sum(net), 0) as net, coalesce(sum(vat), 0) as vat from dispute_parts d
    where invoice_id = ${invoiceId} and ${waitsForCredit}`.execute(tx)
  return rows[0] ?? { net: '0', vat: '0' }
}

export const grossOf = (parts: readonly Part[]): Big =>
  parts.reduce((sum, { net, vat }) => sum.plus(net).plus(vat), new Big(0))

/** At most so much of the parts, in their order. */
export function shares(parts: readonly Part[], most: Big, currency: string): Part[] {
  let rest = most
  const found: Part[] = []
  for (const part of parts) {
    const gross = grossOf([part])
    const share = least(rest, gross)
    if (share.lte(0)) continue
    const net = share.eq(gross) ? part.net : rounded(share.times(part.net).div(gross), currency)
    found.push({ ...part, net, vat: share.minus(net) })
    rest = rest.minus(share)
  }
  return found
}

/** SQL: lets a payment `p` follow another deposit of its own. */
export const followed = (deposit: number) =>
  sql`advance_invoice_id = ${deposit}, first_deposit_id = coalesce(p.first_deposit_id, p.advance_invoice_id)`

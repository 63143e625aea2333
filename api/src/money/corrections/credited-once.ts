import type Big from 'big.js'
import { sql } from 'kysely'
import type { Original } from '#money/invoices/credit-notes.ts'
import type { Line, VatGroup } from '#money/invoices/issue-document.ts'
import { usedByBills } from '#money/payments/paid-bills.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'

/** What a credit note is of; see `credit-content.ts`. */
type Content = {
  readonly lines: readonly Line[]
  readonly groups: readonly VatGroup[]
  readonly returned: Big
}

/** The services of a content, net, and the places of the lines of the bill that it has. */
function soldIn({ groups, returned, lines }: Content, { id }: Original) {
  const net = groups.reduce((sum, group) => sum.minus(group.net), returned)
  const places = lines.flatMap(({ position, refInvoiceId }) => (refInvoiceId === id ? (position ?? []) : []))
  return { net: net.toFixed(2), places: JSON.stringify(places) }
}

/**
 * SQL: the bills of a client that deducted advances whose used part a bank took back (`paid`), those that ask for the same services again
 * (`again`), and what credit notes took off each of them, without the content and with it. Services that the advance did not pay count
 * as credited first: what lines or an amount took may be any of them.
 */
const creditedOf = ({ id, client_id }: Original, { net, places }: ReturnType<typeof soldIn>) => sql`
  again as (
    select d.invoice_id as advance, d.bill_id as bill, sum(d.net) as net from dispute_parts d
    join invoices b on b.id = d.bill_id and b.kind = 'fiscal'
    where d.client_id = ${client_id} and d.kind = 'used' group by 1, 2
  ), paid as (
    select u.advance_id as advance, u.bill, round(sum(u.net * u.share), 2) as net
    from ${usedByBills} u join invoices b on b.id = u.bill and b.kind = 'fiscal'
    where u.advance_id in (select advance from again)
      and not exists (select from again a where a.advance = u.advance_id and a.bill = u.bill) group by 1, 2
  ), bills as (
    select b.id, v.before, v.before + case when b.id = ${id} then ${net}::numeric else 0 end as now,
      (select sum(l.net) from invoice_lines l where l.invoice_id = b.id and l.kind <> 'advance_regularisation') as sold
    from invoices b cross join lateral (
      select coalesce(sum(-n.net - (select coalesce(sum(c.amount), 0) from advance_consumptions c
        where c.invoice_id = n.id and c.amount < 0)), 0) as before
      from invoices n where n.corrects_id = b.id) v
    where b.id in (select bill from paid union select bill from again)
  ), asked as (
    select l.invoice_id as bill, l.ref_invoice_id as advance, l.net, c.is_credited as before,
      c.is_credited or (l.invoice_id = ${id} and ${places}::jsonb @> to_jsonb(l.position)) as now
    from invoice_lines l cross join lateral (select exists (select from invoices n join invoice_lines o on o.invoice_id = n.id
      where n.corrects_id = l.invoice_id and o.ref_invoice_id = l.invoice_id and o.position = l.position) as is_credited) c
    where l.kind = 'manual' and (l.ref_invoice_id, l.invoice_id) in (select advance, bill from again)
  )`

/** SQL: what was credited of the part of bills that some advances paid, or that was asked for again. */
const over = (time: 'before' | 'now') => sql`greatest(b.${sql.id(time)} - (b.sold - x.net), 0)`

/**
 * Throws `credited_elsewhere` where services would be credited twice: a bill deducted an advance whose used part its bank took back, so
 * that a second bill asks for the same services. The second one is credited, by no more than the first one was not before. The caller
 * holds the client's accounts, but for a preview.
 */
export async function assertCreditedOnce(tx: Database, bill: Original, content: Content): Promise<void> {
  const { rows } = await sql`with ${creditedOf(bill, soldIn(content, bill))}, sides as (
      select is_first, array_agg(advance) as advances from (select true as is_first, advance from paid where bill = ${bill.id}
        union all select false, advance from again where bill = ${bill.id}) c group by 1
    )
    select from sides s cross join lateral (
      select coalesce(sum(x.net), 0) as net, coalesce(sum(${over('before')}), 0) as before, coalesce(sum(${over('now')}), 0) as now
      from (select bill, sum(net) as net from paid where advance = any(s.advances) group by 1) x join bills b on b.id = x.bill
    ) first cross join lateral (
      select sum(x.net) as net, sum(greatest(${over('before')}, l.before)) as before, sum(greatest(${over('now')}, l.now)) as now
      from (select bill, sum(net) as net from again where advance = any(s.advances) group by 1) x join bills b on b.id = x.bill
        cross join lateral (select coalesce(sum(a.net) filter (where a.before), 0) as before,
          coalesce(sum(a.net) filter (where a.now), 0) as now
          from asked a where a.bill = b.id and a.advance = any(s.advances)) l
    ) second
    where case when s.is_first then first.now > first.before and first.now > greatest(first.net - second.net, 0)
      else second.now > second.before and first.now + second.now > greatest(first.net, second.net) end`.execute(
    tx,
  )
  if (rows.length > 0) throw refuse('credited_elsewhere')
}

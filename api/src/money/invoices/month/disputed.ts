import Big from 'big.js'
import { sql } from 'kysely'
import { creditNote } from '#money/invoices/credit-notes.ts'
import type { Line } from '#money/invoices/issue-document.ts'
import { serviceBillIssued } from '#money/ledger/bills.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Month } from './lines.ts'

/** The used part of a deposit that its bank took back: a debt that no bill asks for yet. */
export type Disputed = {
  /** dispute_parts.id */
  readonly id: number
  readonly invoiceId: number
  readonly fullNumber: string
  readonly net: string
  readonly vat: string
  readonly currency: string
  /** As on the invoice of the deposit. */
  readonly taxed: Line['vat']
}

/** SQL: the used parts, `d` of `dispute_parts`, that wait for a bill. */
export const waitsForBill = sql`d.kind = 'used' and d.bill_id is null and d.returned_at is null`

/** A client's used parts of lost deposits for the bill of a month. To `hold` them, the caller holds the client's accounts. */
export async function disputedParts(
  tx: Database,
  clientId: number,
  { until }: Month,
  { hold }: { readonly hold: boolean },
): Promise<Disputed[]> {
  const { rows } = await sql<Disputed>`
    select d.id, d.invoice_id as "invoiceId", i.full_number as "fullNumber", d.net, d.vat, i.currency,
      jsonb_build_object('country', g.v ->> 'country', 'category', g.v ->> 'category', 'rate', g.v ->> 'rate',
        'treatment', i.vat_treatment) as taxed
    from dispute_parts d join invoices i on i.id = d.invoice_id cross join lateral (select i.vat_groups -> 0 as v) g
    where d.client_id = ${clientId} and ${waitsForBill} and d.lost_on < ${until}
    order by d.id ${hold ? sql`for no key update of d` : sql``}`.execute(tx)
  return rows
}

/** The debt as a line, taxed as the deposit was. */
export const disputedLine = ({ invoiceId, fullNumber, net, taxed }: Disputed): Line => ({
  kind: 'manual',
  en: `Services paid with advance ${fullNumber}, which the bank took back`,
  ro: `Servicii plătite din avansul ${fullNumber}, retras de bancă`,
  quantity: new Big(1),
  unitPrice: new Big(net),
  vat: taxed,
  refInvoiceId: invoiceId,
})

const why = { en: 'payment taken back by the bank', ro: 'plată retrasă de bancă' }

/**
 * Credits the used parts of the deposits, because the bill taxes the same services again. The notes have the tax point of the bill, so
 * that no sale is counted twice between the two days.
 */
export async function creditDisputed(
  tx: Database,
  clientId: number,
  parts: readonly Disputed[],
  taxPoint: string,
): Promise<void> {
  for (const { id, invoiceId, net, vat, currency } of parts) {
    const note = await creditNote(tx, { invoiceId, net, vat, isUsed: true, reason: why, taxPoint })
    const [group] = note.groups
    if (group && !new Big(note.vat).eq(0))
      await serviceBillIssued(tx, {
        key: `dispute-part:${id}:billed`,
        clientId,
        currency,
        vat: { amount: note.vat, country: group.country, rate: group.rate },
        source: { type: 'invoice', id: note.id },
      })
    await sql`update dispute_parts set credit_note_id = ${note.id} where id = ${id}`.execute(tx)
  }
}

/** Marks the parts with the document of the bill that asks for them. */
export async function markDisputed(tx: Database, parts: readonly Disputed[]): Promise<void> {
  for (const { id, invoiceId } of parts)
    await sql`update dispute_parts set bill_id = (select max(l.invoice_id) from invoice_lines l
        join invoices i on i.id = l.invoice_id and i.reason = 'service_bill'
      where l.ref_invoice_id = ${invoiceId} and l.kind = 'manual') where id = ${id}`.execute(tx)
}

import Big from 'big.js'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { seller, vatGroups } from '#money/invoices/documents/document.ts'
import { billedAs } from '#money/invoices/invoices.ts'
import type { FxRate } from '#money/invoices/rates/fx.ts'
import { vatOn } from '#money/invoices/vat/vat.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { payable } from '#money/minor-units.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { type Issued, issueDocument, type Line, type VatGroup } from './issue-document.ts'
import { type BilledNow, type Operator, operatorOf } from './parties.ts'

/** An issued invoice, locked, while its client's accounts are held. Throws `not_found`. */
export async function lockOriginal(tx: Database, invoiceId: number) {
  const { client_id } = await tx
    .selectFrom('invoices')
    .select('client_id')
    .where('id', '=', invoiceId)
    .where('kind', '=', 'fiscal')
    .where('issued_at', 'is not', null)
    .executeTakeFirstOrThrow(() => refuse('not_found', { type: 'invoices' }))
  await holdAccounts(tx, client_id)
  return tx
    .selectFrom('invoices')
    .select(columns.invoices)
    .where('id', '=', invoiceId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export type Original = Awaited<ReturnType<typeof lockOriginal>>

/** The amount credited before on an invoice; zero or less. */
async function creditedBefore(tx: Database, invoiceId: number): Promise<{ net: Big; vat: Big }> {
  const before = await tx
    .selectFrom('invoices')
    .select(({ fn }) => [fn.sum<string | null>('net').as('net'), fn.sum<string | null>('vat').as('vat')])
    .where('corrects_id', '=', invoiceId)
    .executeTakeFirst()
  return { net: new Big(before?.net ?? 0), vat: new Big(before?.vat ?? 0) }
}

type VatOn = { readonly rate: string; readonly currency: string }

/**
 * The VAT of a net part: what the rest does not need. Rounded by themselves, many small parts would have more VAT than the
 * whole.
 */
export function vatOfPart(part: Big, left: { readonly net: Big; readonly vat: Big }, on: VatOn): Big {
  const vat = left.vat.minus(vatOn(left.net.minus(part), on.rate, on.currency))
  return vat.gt(0) ? vat : new Big(0)
}

type Wanted = {
  readonly invoiceId: number
  readonly net?: string | undefined
  /** Given when a gross amount was taken, because VAT is then not exactly the rate of the net amount. */
  readonly vat?: string | undefined
  /** The part of an advance that bills have deducted already: its unused rest is not reduced. */
  readonly isUsed?: boolean
  readonly reason: { readonly en: string; readonly ro: string }
  /** By default today; that of the invoice where another one with its tax point takes its place. */
  readonly taxPoint?: string | undefined
}

/** The amounts to credit by VAT rate: all that is left, or a part of an invoice that has one rate. */
export async function takenBack(
  tx: Database,
  original: Original,
  { net, vat: stated }: Pick<Wanted, 'net' | 'vat'>,
): Promise<VatGroup[]> {
  const groups = z.parse(vatGroups, original.vat_groups)
  const before = await creditedBefore(tx, original.id)
  const [first, ...others] = groups
  if (!first) throw refuse('invoice_without_lines')
  if (others.length > 0) {
    if (net !== undefined || !before.net.eq(0)) throw refuse('invoice_several_rates')
    return groups
  }
  const left = { net: before.net.plus(first.net), vat: before.vat.plus(first.vat) }
  const part = net === undefined ? left.net : payable(net, original.currency)
  if (part.lte(0) || part.gt(left.net)) throw refuse('credited_already')
  const vat =
    stated === undefined
      ? vatOfPart(part, left, { rate: first.rate, currency: original.currency })
      : new Big(stated)
  return [{ ...first, net: part.toFixed(2), vat: vat.toFixed(2) }]
}

const lineOf =
  (fullNumber: string | null, reason: { readonly en: string; readonly ro: string }) =>
  (group: VatGroup): Line => ({
    kind: 'manual',
    en: `Credit for ${fullNumber}: ${reason.en}`,
    ro: `Stornare ${fullNumber}: ${reason.ro}`,
    quantity: new Big(new Big(group.net).gte(0) ? -1 : 1),
    unitPrice: new Big(group.net).abs(),
    vat: { country: group.country, category: group.category, rate: group.rate },
  })

export const negated = (group: VatGroup): VatGroup => ({
  ...group,
  net: new Big(group.net).neg().toFixed(2),
  vat: new Big(group.vat).neg().toFixed(2),
})

/** Updates the original's status, and reduces the unused rest of a refunded advance. */
async function follow(tx: Database, original: Original, note: Issued, isUsed: boolean): Promise<void> {
  const credited = new Big(original.credited).minus(note.total)
  const whole = credited.eq(original.total)
  const left = new Big(original.total).minus(credited).minus(original.paid)
  const takenBackWhole = new Big(original.paid).gt(0) ? 'refunded' : 'cancelled'
  const settled = whole ? takenBackWhole : 'paid'
  await tx
    .updateTable('invoices')
    .set(({ fn, eb, ref }) => ({
      credited: credited.toFixed(2),
      invoice_status_id:
        whole || left.lte(0) ? fn<number>('invoice_status', [eb.val(settled)]) : ref('invoice_status_id'),
    }))
    .where('id', '=', original.id)
    .execute()
  if (original.reason === 'advance' && !isUsed)
    await tx
      .insertInto('advance_consumptions')
      .values({ advance_id: original.id, invoice_id: note.id, amount: new Big(note.net).neg().toFixed(2) })
      .execute()
      .catch((error: unknown) => {
        if (error instanceof Error && Reflect.get(error, 'constraint') === 'advance_not_overdrawn')
          throw refuse('advance_used', {}, { cause: error })
        throw error
      })
}

/** The seller, buyer, VAT ruling and exchange rate of the original document. */
export const asOn = (other: Original, operator: Operator) => ({
  operator: { ...operator, seller: z.parse(seller, other.seller) },
  billed: billedAs(other),
  ruling: {
    decision: { treatment: other.vat_treatment, country: other.vat_country, rate: other.vat_rate },
    evidence: other.vat_evidence,
  },
  fx: fxOf(other),
})

/** The exchange rate of a document; null within one currency. */
export const fxOf = ({
  fx_rate: rate,
  fx_date,
  fx_source,
  issue_date,
}: Pick<Original, 'fx_rate' | 'fx_date' | 'fx_source' | 'issue_date'>): FxRate | null =>
  rate === null ? null : { rate, publishedOn: fx_date ?? issue_date ?? '', source: fx_source ?? '' }

/**
 * Credits an invoice by a separate document: the rest of it, or a net part. The invoice itself is unchanged;
 * its credit notes never exceed it. The caller posts to the ledger. Throws `not_found`, `credited_already`,
 * `advance_used`, `invoice_…`, `documents_need_…`.
 *
 * @param reason printed on the document, in both languages.
 */
export async function creditNote(tx: Database, wanted: Wanted): Promise<Issued> {
  const { invoiceId, isUsed = false, reason } = wanted
  const original = await lockOriginal(tx, invoiceId)
  const taken = await takenBack(tx, original, wanted)
  const operator = await operatorOf(tx)
  const note = await issueDocument(tx, {
    ...asOn(original, operator),
    clientId: original.client_id,
    kind: 'credit_note',
    reason: 'storno',
    status: 'paid',
    lines: taken.map(lineOf(original.full_number, reason)),
    groups: taken.map(negated),
    taxPoint: wanted.taxPoint ?? operator.today,
    correctsId: original.id,
  })
  await follow(tx, original, note, isUsed)
  return note
}

/** SQL: the used parts, `d` of `dispute_parts`, that their bank took back and that wait for their credit note. */
export const waitsForCredit = sql`d.kind = 'used' and d.returned_at is null and d.credit_note_id is null`

/**
 * The uncredited rest of a deposit's invoice, and the net part of it that bills have used: the difference is refundable. A used
 * part that its bank took back and that waits for a bill counts as used, also after the bill that had used it was credited.
 */
export async function leftOf(tx: Database, invoiceId: number) {
  const { rows } = await sql<{ net: string; vat: string; rate: string; used: string }>`
    select i.net + coalesce(sum(n.net), 0) as net, i.vat + coalesce(sum(n.vat), 0) as vat, i.vat_rate as rate,
      greatest((select coalesce(sum(amount), 0) from advance_consumptions c where c.advance_id = i.id
          and not exists (select from invoices x where x.id = c.invoice_id and x.corrects_id = i.id)),
        (select coalesce(sum(d.net), 0) from dispute_parts d where d.invoice_id = i.id and ${waitsForCredit})) as used
    from invoices i left join invoices n on n.corrects_id = i.id where i.id = ${invoiceId} group by i.id`.execute(
    tx,
  )
  const [left] = rows
  if (!left) throw refuse('not_found', { type: 'invoices' })
  return left
}

const refundReturned = (number: string | null) => ({
  en: `the refund of ${number} came back`,
  ro: `rambursarea din ${number} s-a întors`,
})

type Instead = {
  readonly billed?: BilledNow
  readonly taxPoint?: string | undefined
  readonly isSellerNow?: boolean
}

/**
 * Issues an invoice for credited money that returned: the credit note's amounts, with the same seller, buyer,
 * rate and ruling, of today. `instead` are another buyer, another tax point, and the seller's details of today. The caller holds the client's accounts.
 */
export async function restore(
  tx: Database,
  noteId: number,
  why = refundReturned,
  { billed, taxPoint, isSellerNow = false }: Instead = {},
): Promise<Issued> {
  const note = await tx
    .selectFrom('invoices')
    .select(columns.invoices)
    .where('id', '=', noteId)
    .executeTakeFirstOrThrow()
  const operator = await operatorOf(tx)
  const groups = z.parse(vatGroups, note.vat_groups).map(negated)
  return issueDocument(tx, {
    ...asOn(note, operator),
    ...(billed && { billed }),
    ...(isSellerNow && { operator }),
    clientId: note.client_id,
    kind: 'fiscal',
    reason: 'advance',
    status: 'paid',
    lines: groups.map(({ net, country, category, rate }) => ({
      kind: 'advance',
      en: `Advance payment for hosting services: ${why(note.full_number).en}`,
      ro: `Avans pentru servicii de găzduire: ${why(note.full_number).ro}`,
      quantity: new Big(1),
      unitPrice: new Big(net),
      vat: { country, category, rate },
      refInvoiceId: note.id,
    })),
    groups,
    taxPoint: taxPoint ?? operator.today,
  })
}

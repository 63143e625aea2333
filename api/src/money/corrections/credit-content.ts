import Big from 'big.js'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { negated, type Original, takenBack } from '#money/invoices/credit-notes.ts'
import { vatGroups } from '#money/invoices/documents/document.ts'
import { groupVat, type Line, type VatGroup, vatKind } from '#money/invoices/issue-document.ts'
import { vatOn } from '#money/invoices/vat/vat.ts'
import type { RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertCreditedOnce } from './credited-once.ts'

/** The credited part of a bill: some of its lines, a net amount, or, without either, all that is left. */
export type Wish = { readonly lines?: readonly number[] | undefined; readonly net?: number | undefined }

/** The content of a credit note; amounts are negative. */
export type Content = {
  readonly lines: readonly Line[]
  readonly groups: readonly VatGroup[]
  /** The advances that the bill deducted, net, when it is credited whole. */
  readonly returned: Big
  /** Whether it gives back what the bill deducted. */
  readonly isWhole: boolean
  /** Whether nothing of the bill is left after it. */
  readonly isLast: boolean
}

type Sold = RowOf<'invoice_lines'>

/** The places of the lines that were credited, and whether an amount was. */
export async function creditedBefore(tx: Database, { id }: Original) {
  const { rows } = await sql<{ position: number; is_line: boolean }>`
    select l.position, l.ref_invoice_id is not distinct from ${id} as is_line
    from invoices n join invoice_lines l on l.invoice_id = n.id where n.corrects_id = ${id}`.execute(tx)
  return {
    lines: new Set(rows.filter(({ is_line }) => is_line).map(({ position }) => position)),
    byAmount: rows.some(({ is_line }) => !is_line),
  }
}

/** A line of the bill with the opposite sign, at the same place, which says later that it was credited. */
const creditLine =
  (bill: Original, groups: readonly VatGroup[]) =>
  (line: Sold): Line => ({
    kind: line.kind === 'usage' || line.kind === 'discount' || line.kind === 'advance' ? line.kind : 'manual',
    en: line.description_en,
    ro: line.description_ro,
    position: line.position,
    quantity: new Big(line.quantity).neg(),
    unitPrice: new Big(line.unit_price),
    vat: {
      country: line.vat_country,
      category: line.vat_category as VatGroup['category'],
      rate: new Big(line.vat_rate).toFixed(),
      treatment: groups.find(({ category }) => category === line.vat_category)?.treatment,
    },
    projectId: line.project_id ?? undefined,
    panelId: line.panel_id ?? undefined,
    refInvoiceId: bill.id,
  })

/**
 * The lines to credit. What is left after some lines were credited is the other lines, not what the bill deducted: its part of the
 * credited lines is money of the client already. Throws `credit_note_line` and `credited_already`.
 */
function chosen(
  all: readonly Sold[],
  credited: ReadonlySet<number>,
  wanted: readonly number[] | undefined,
): Sold[] {
  if (wanted === undefined && credited.size === 0) return [...all]
  if (wanted === undefined) return all.filter((line) => isSold(line) && !credited.has(line.position))
  return [...new Set(wanted)].map((position) => {
    const line = all.find((one) => one.position === position)
    if (!line || !isSold(line))
      throw refuse('credit_note_line', { line: position }, { source: { pointer: '/data/lines' } })
    if (credited.has(position)) throw refuse('credited_already')
    return line
  })
}

/** Whether a line is not an advance that the bill deducted. */
const isSold = ({ kind }: Sold): boolean => kind !== 'advance_regularisation'

const netOf = (lines: readonly Sold[]): Big => lines.reduce((sum, { net }) => sum.plus(net), new Big(0))

/**
 * Throws `credit_note_deductions` for lines that come to more than was charged: promotional credit, which nobody paid, would
 * become money. What advances paid may be given back.
 */
function assertCharged(all: readonly Sold[], credited: ReadonlySet<number>, sold: readonly Sold[]): void {
  const left = all.filter((line) => isSold(line) && !credited.has(line.position))
  if (netOf(sold.filter(isSold)).gt(netOf(left)))
    throw refuse('credit_note_deductions', {}, { source: { pointer: '/data/lines' } })
}

/** Whether two groups are one; documents write a rate with or without decimals. */
function sameKind(one: VatGroup, other: VatGroup): boolean {
  const [a, b] = [one, other].map((group) => vatKind({ ...group, rate: new Big(group.rate).toFixed() }))
  return JSON.stringify(a) === JSON.stringify(b)
}

/** The groups of earlier credit notes for a bill. */
async function groupsCredited(tx: Database, { id }: Original): Promise<VatGroup[]> {
  const notes = await tx.selectFrom('invoices').select('vat_groups').where('corrects_id', '=', id).execute()
  return notes.flatMap((note) => z.parse(vatGroups, note.vat_groups))
}

/** The groups of credited lines. Their VAT is what the rest of the bill does not need, so that all lines have that of the bill. */
async function groupsOf(tx: Database, bill: Original, lines: readonly Line[]): Promise<VatGroup[]> {
  const all = [...z.parse(vatGroups, bill.vat_groups), ...(await groupsCredited(tx, bill))]
  return groupVat(lines, bill.currency).map((group) => {
    const same = all.filter((one) => sameKind(one, group))
    const left = same.reduce((sum, { net, vat }) => ({ net: sum.net.plus(net), vat: sum.vat.plus(vat) }), {
      net: new Big(0),
      vat: new Big(0),
    })
    const needed = vatOn(left.net.plus(group.net), group.rate, bill.currency)
    return { ...group, vat: needed.minus(left.vat).toFixed(2) }
  })
}

/** What is left to credit of a bill that has one VAT rate, net; null of another, which is credited by lines or whole. */
export async function leftToCredit(tx: Database, bill: Original): Promise<Big | null> {
  if (z.parse(vatGroups, bill.vat_groups).length !== 1) return null
  const credited = await groupsCredited(tx, bill)
  return credited.reduce((left, { net }) => left.plus(net), new Big(bill.net))
}

/** A credit note of an amount: one line by VAT rate. */
async function byAmount(tx: Database, bill: Original, net: string | undefined): Promise<Content> {
  const groups = (await takenBack(tx, bill, { net })).map(negated)
  const lines = groups.map(
    (group): Line => ({
      kind: 'manual',
      en: `Credit for ${bill.full_number}`,
      ro: `Stornare ${bill.full_number}`,
      quantity: new Big(-1),
      unitPrice: new Big(group.net).abs(),
      vat: group,
    }),
  )
  const credited = groups.reduce(
    (sum, { net: part, vat }) => sum.minus(part).minus(vat),
    new Big(bill.credited),
  )
  return { lines, groups, returned: new Big(0), isWhole: false, isLast: credited.gte(bill.total) }
}

async function contentOf(tx: Database, bill: Original, { lines: wanted, net }: Wish): Promise<Content> {
  if (wanted && net !== undefined) throw refuse('credit_note_lines_or_net')
  const before = await creditedBefore(tx, bill)
  if (net !== undefined || (before.byAmount && wanted === undefined)) {
    if (before.lines.size > 0) throw refuse('credited_by_lines')
    return byAmount(tx, bill, net?.toFixed(2))
  }
  if (before.byAmount) throw refuse('credited_by_amount')
  const all = await tx
    .selectFrom('invoice_lines')
    .select(columns.invoice_lines)
    .where('invoice_id', '=', bill.id)
    .orderBy('position')
    .execute()
  const sold = chosen(all, before.lines, wanted)
  if (sold.length === 0) throw refuse('credited_already')
  assertCharged(all, before.lines, sold)
  const stored = z.parse(vatGroups, bill.vat_groups)
  const lines = sold.map(creditLine(bill, stored))
  const deducted = sold.filter((line) => !isSold(line))
  const after = new Set([...before.lines, ...sold.map(({ position }) => position)])
  return {
    lines,
    groups: sold.length === all.length ? stored.map(negated) : await groupsOf(tx, bill, lines),
    returned: deducted.reduce((sum, line) => sum.minus(line.net), new Big(0)),
    isWhole: sold.length === all.length,
    isLast: all.every((line) => !isSold(line) || after.has(line.position) || Number(line.net) === 0),
  }
}

/** The content of a credit note for a locked bill. Throws `credit_note_…`, `credited_…`, `invoice_several_rates`. */
export async function creditContent(tx: Database, bill: Original, wish: Wish): Promise<Content> {
  const content = await contentOf(tx, bill, wish)
  await assertCreditedOnce(tx, bill, content)
  return content
}

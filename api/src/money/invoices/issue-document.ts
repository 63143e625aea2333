import type { VatDecision } from '@portico/contract/rules/vat.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import { isStatement } from '#money/invoice-statuses.ts'
import { type FxRate, fxRate } from '#money/invoices/rates/fx.ts'
import { assertStillBelow, type TaxedAtHome } from '#money/invoices/vat/threshold.ts'
import { vatOn } from '#money/invoices/vat/vat.ts'
import { rounded } from '#money/minor-units.ts'
import { moneyIn } from '#notifications/letters/words.ts'
import { notify } from '#notifications/notifications.ts'
import type { Database } from '#platform/db/pool.ts'
import { isSqlState } from '#platform/db/sql-states.ts'
import { refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Billed, Operator } from './parties.ts'

/** The VAT of a line or group; `treatment` says why there is none. */
type Vat = Pick<VatDecision, 'country' | 'category' | 'rate'> & { readonly treatment?: string | undefined }

/** A line of a document. A negative quantity deducts; net is the product, in minor units. */
export type Line = {
  readonly kind: 'usage' | 'advance' | 'advance_regularisation' | 'discount' | 'manual'
  readonly en: string
  readonly ro: string
  readonly quantity: Big
  readonly unitPrice: Big
  readonly vat: Vat
  /** Its place on the document; by default after the one before. */
  readonly position?: number | undefined
  readonly projectId?: number | undefined
  readonly panelId?: number | undefined
  /** invoices.id of an advance. */
  readonly refInvoiceId?: number | undefined
}

/** The amounts of a document by VAT country, category and rate. Amounts are exact decimals. */
export type VatGroup = Vat & { readonly net: string; readonly vat: string }

/** The complete content of a document before it has a number. */
export type Draft = {
  readonly clientId: number
  readonly kind: 'proforma' | 'fiscal' | 'credit_note'
  readonly reason: 'advance' | 'service_bill' | 'manual' | 'storno'
  /** The status on issue. */
  readonly status: 'unpaid' | 'paid'
  readonly operator: Operator
  readonly billed: Billed
  /** The VAT ruling and its evidence (money/invoices/vat/vat.ts). */
  readonly ruling: {
    readonly decision: { readonly treatment: string; readonly country: string; readonly rate: string }
    readonly evidence: unknown
    readonly atHome?: TaxedAtHome | undefined
  }
  readonly lines: readonly Line[]
  /** Given when a gross amount was paid, because VAT is then not exactly the rate of the net amount. */
  readonly groups?: readonly VatGroup[] | undefined
  /** The tax point, whose day's exchange rate applies; a local date. */
  readonly taxPoint: string
  /** Given when another exchange rate applies. */
  readonly fx?: FxRate | null | undefined
  readonly dueDate?: string | undefined
  /** The first day and the day after the last. */
  readonly period?: readonly [from: string, until: string] | undefined
  /** Which of the two documents of a bill; by default the first. */
  readonly billPart?: 1 | 2 | undefined
  readonly proformaId?: number | undefined
  readonly correctsId?: number | undefined
  readonly notes?: string | undefined
  readonly carry?: { readonly usage: Big; readonly credit: Big } | undefined
  /** Further writes for the document, run before the series is locked. */
  readonly before?: ((issued: Issued) => Promise<void>) | undefined
}

/** A numbered document. Amounts are exact decimals, negative on a credit note. */
export type Issued = {
  /** invoices.id */
  readonly id: number
  readonly fullNumber: string
  readonly net: string
  readonly vat: string
  readonly total: string
  /** The amounts by country and rate. */
  readonly groups: readonly VatGroup[]
}

const lineNet = ({ quantity, unitPrice }: Line, currency: string): Big =>
  rounded(quantity.times(unitPrice), currency)

/** The key of a VAT group: country and rate, or the reason why VAT is not charged. */
export const vatKind = ({ country, category, rate, treatment }: Vat): Vat =>
  category === 'S' || treatment === undefined
    ? { country, category, rate }
    : { country, category, rate, treatment }

/** Groups lines with VAT on the sums: EN 16931 rounds once per rate, not per line. */
export function groupVat(lines: readonly Line[], currency: string): VatGroup[] {
  const nets = new Map<string, { vat: Line['vat']; net: Big }>()
  for (const line of lines) {
    const vat = vatKind(line.vat)
    const key = Object.values(vat).join(' ')
    const before = nets.get(key)?.net ?? new Big(0)
    nets.set(key, { vat, net: before.plus(lineNet(line, currency)) })
  }
  return [...nets.values()].map(({ vat, net }) => ({
    ...vat,
    net: net.toFixed(2),
    vat: vatOn(net, vat.rate, currency).toFixed(2),
  }))
}

const sum = (amounts: readonly string[]): Big => amounts.reduce((all, one) => all.plus(one), new Big(0))

/** The rows of a document's lines. */
export const lineRows = (invoiceId: number, { lines, billed }: Pick<Draft, 'lines' | 'billed'>) =>
  lines.map((line, at) => ({
    invoice_id: invoiceId,
    position: line.position ?? at + 1,
    kind: line.kind,
    description_en: line.en,
    description_ro: line.ro,
    quantity: line.quantity.toFixed(),
    unit_price: line.unitPrice.toFixed(),
    net: lineNet(line, billed.currency).toFixed(2),
    vat_category: line.vat.category,
    vat_country: line.vat.country,
    vat_rate: line.vat.rate,
    project_id: line.projectId ?? null,
    panel_id: line.panelId ?? null,
    ref_invoice_id: line.refInvoiceId ?? null,
  }))

/** The totals in the document's currency and in the VAT accounting currency. */
async function sums(tx: Database, { draft, net, vat }: { draft: Draft; net: Big; vat: Big }) {
  const { operator, billed, taxPoint } = draft
  const fx =
    draft.fx === undefined ? await fxRate(tx, billed.currency, operator.currency, taxPoint) : draft.fx
  const total = net.plus(vat).toFixed(2)
  const settled = draft.status === 'paid' || net.plus(vat).lte(0)
  return {
    net: net.toFixed(2),
    vat: vat.toFixed(2),
    total,
    paid: settled ? total : '0',
    fx_rate: fx?.rate ?? null,
    fx_date: fx?.publishedOn ?? null,
    fx_source: fx?.source ?? null,
    local_currency: operator.currency,
    vat_local: rounded(vat.times(fx?.rate ?? 1), operator.currency).toFixed(2),
  }
}

/** The row of a document that has no number yet. Throws `documents_need_exchange_rate`. */
export async function draftRow(tx: Database, draft: Draft, groups: readonly VatGroup[]) {
  const { operator, billed, ruling, taxPoint, period, carry } = draft
  const net = sum(groups.map((group) => group.net))
  const vat = sum(groups.map((group) => group.vat))
  return {
    ...(await sums(tx, { draft, net, vat })),
    client_id: draft.clientId,
    kind: draft.kind,
    reason: draft.reason,
    currency: billed.currency,
    due_date: draft.dueDate ?? operator.today,
    tax_point_date: taxPoint,
    period: period ? `[${period[0]},${period[1]})` : null,
    seller: JSON.stringify(operator.seller),
    buyer: JSON.stringify(billed.buyer),
    vat_treatment: ruling.decision.treatment,
    vat_country: ruling.decision.country,
    vat_rate: ruling.decision.rate,
    vat_evidence: JSON.stringify(ruling.evidence),
    vat_groups: JSON.stringify(groups),
    bill_part: draft.billPart ?? 1,
    usage_carry: carry?.usage.toFixed() ?? '0',
    credit_carry: carry?.credit.toFixed() ?? '0',
    notes: draft.notes ?? null,
    proforma_id: draft.proformaId ?? null,
    corrects_id: draft.correctsId ?? null,
    po_number: billed.poNumber,
    locale: billed.locale,
  }
}

/** Notifies the client of a document, except of a proforma, which they are paying right now. */
async function notifyClient(tx: Database, draft: Draft, issued: Issued): Promise<void> {
  const { kind, reason, clientId, billed } = draft
  if (kind === 'proforma') return
  const total = new Big(issued.total)
  const params = {
    what: isStatement({ kind, reason, total: issued.total }) ? 'statement' : kind,
    number: issued.fullNumber,
    // The name says that it goes to the client.
    total: moneyIn({ amount: total.abs().toFixed(), currency: billed.currency }),
  } as const
  await notify(tx, clientId, { kind: 'invoice_issued', about: issued.id, params })
}

/** Throws `documents_need_series` for a closed series. */
export const closedSeries = (error: unknown): never => {
  if (isSqlState(error, 'seriesClosed'))
    throw refuse(
      'documents_need_series',
      {},
      {
        cause: error,
      },
    )
  throw error
}

/**
 * Writes a document and assigns the next number of its series, in the caller's transaction. The series is
 * locked until the commit, so do this last. A job generates the files. Throws `documents_need_series`, and
 * `documents_need_exchange_rate` without a rate between its currency and the operator's.
 */
export async function issueDocument(tx: Database, draft: Draft): Promise<Issued> {
  const groups = draft.groups ?? groupVat(draft.lines, draft.billed.currency)
  const { id } = await tx
    .insertInto('invoices')
    .values(await draftRow(tx, draft, groups))
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.insertInto('invoice_lines').values(lineRows(id, draft)).execute()
  const net = sum(groups.map((group) => group.net))
  const vat = sum(groups.map((group) => group.vat))
  const issued = {
    id,
    fullNumber: '',
    net: net.toFixed(2),
    vat: vat.toFixed(2),
    total: net.plus(vat).toFixed(2),
    groups,
  }
  await draft.before?.(issued)
  await enqueue(tx, 'invoice.documents', { invoiceId: id }, { key: `invoice.documents:${id}` })
  const { atHome } = draft.ruling
  if (draft.kind === 'fiscal' && atHome) await assertStillBelow(tx, draft.operator, [atHome])
  // A total of zero counts as paid.
  const status = net.plus(vat).lte(0) ? 'paid' : draft.status
  const { rows } = await sql<{ number: string }>`
    select invoice_issue(${id}, ${draft.operator.today}, ${status}) as number`
    .execute(tx)
    .catch(closedSeries)
  const fullNumber = rows[0]?.number ?? ''
  await notifyClient(tx, draft, { ...issued, fullNumber })
  return { ...issued, fullNumber }
}

import {
  inUnion,
  lacksUnionScheme,
  taxCountry,
  type VatBuyer,
  type VatDecision,
  type VatProof,
  type VatRate,
  type VatSeller,
  vatFor,
} from '@portico/contract/rules/vat.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type { Buyer } from '#money/invoices/documents/document.ts'
import type { Operator } from '#money/invoices/parties.ts'
import { fxRate } from '#money/invoices/rates/fx.ts'
import { rounded } from '#money/minor-units.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { saidDay } from '#platform/errors/said-day.ts'

/** The VAT treatment of a sale with its evidence, stored with the document. */
export type VatRuling = {
  readonly decision: VatDecision
  readonly evidence: {
    readonly on: string
    readonly decidedOn: string
    readonly seller: VatSeller
    readonly buyer: Omit<VatBuyer, 'proof'>
    readonly proof: (VatProof & { readonly reference: string | null; readonly source: string }) | null
  }
}

/** A number in the tax offices' form: with its country's prefix, and without separators. */
export function plainVatNumber(text: string | null, country: string): string | null {
  const plain = text?.replace(/[^A-Za-z0-9]/g, '').toUpperCase()
  if (!plain) return null
  const of = taxCountry(country)
  const prefix = of === 'GR' ? 'EL' : of
  if (plain.startsWith(prefix)) return plain
  return `${prefix}${plain.startsWith(country) ? plain.slice(2) : plain}`
}

/** The last conclusive check of each number of these clients, by both. */
export async function proofsOf(tx: Database, clientIds: readonly number[]) {
  const found = await tx
    .selectFrom('vat_checks')
    .distinctOn(['client_id', 'vat_number'])
    .select(['client_id', 'vat_number', 'status', 'source', 'request_identifier'])
    .select(sql<string>`(checked_at at time zone 'utc')::date`.as('checked_on'))
    .where(sql<boolean>`client_id = any(${[...clientIds]}::bigint[])`)
    .where('status', '<>', 'unavailable')
    .orderBy('client_id')
    .orderBy('vat_number')
    .orderBy('checked_at', 'desc')
    .execute()
  return (clientId: number, vatNumber: string | null): VatRuling['evidence']['proof'] => {
    const one = found.find((row) => row.client_id === clientId && row.vat_number === vatNumber)
    if (!one || vatNumber === null) return null
    return {
      vatNumber,
      valid: one.status === 'valid',
      checkedOn: one.checked_on,
      reference: one.request_identifier,
      source: one.source,
    }
  }
}

/** The last conclusive check of the number. */
const proofOf = async (tx: Database, clientId: number, vatNumber: string | null) =>
  vatNumber === null ? null : (await proofsOf(tx, [clientId]))(clientId, vatNumber)

/** What consumers in other EU countries bought in this year of the operator, and in the last one; net, in the currency of VAT. */
async function soldAbroad(tx: Database, { today }: Operator): Promise<{ now: Big; before: Big }> {
  const { rows } = await sql<{ now: string; before: string }>`
    select coalesce(sum(sold) filter (where is_now), 0) as now, coalesce(sum(sold) filter (where not is_now), 0) as before from (
      select net * coalesce(fx_rate, 1) as sold, tax_point_date >= date_trunc('year', ${today}::date) as is_now from invoices
      where vat_treatment in ('origin', 'destination') and kind <> 'proforma' and issued_at is not null
        and tax_point_date >= date_trunc('year', ${today}::date) - interval '1 year') sales`.execute(tx)
  return { now: new Big(rows[0]?.now ?? 0), before: new Big(rows[0]?.before ?? 0) }
}

/** The part of a buyer that VAT depends on. */
type Taxed = Pick<Buyer, 'country' | 'zip_code' | 'company' | 'vat_number'>
type Sale = {
  readonly operator: Operator
  readonly buyer: Taxed
  readonly clientId: number
  readonly on: string
  /** The net amount, where it counts for the threshold, at the rate of the operator's country. */
  readonly sold?: { readonly currency: string; readonly netAt: (rate: string) => Big }
}

/** The operator as a seller. */
export async function sellerOf(tx: Database, operator: Operator): Promise<VatSeller> {
  return (await sellerAndLeft(tx, operator)).seller
}

/**
 * The operator as a seller, and how much more consumers in other EU countries can buy in this year at the VAT of the operator's own:
 * the sale that exceeds the threshold is the first one at theirs (Directive 2006/112/EC, art. 59c(2)).
 */
async function sellerAndLeft(tx: Database, operator: Operator) {
  const { country, vat_number } = operator.seller
  const registered = vat_number !== null
  if (operator.destination || !inUnion(country))
    return { seller: { country, registered, destination: operator.destination }, left: new Big(0) }
  const { now, before } = await soldAbroad(tx, operator)
  const destination = now.gt(operator.threshold) || before.gt(operator.threshold)
  return { seller: { country, registered, destination }, left: new Big(operator.threshold).minus(now) }
}

/** The facts that all decisions of one transaction share. */
export type VatBasis = {
  readonly seller: VatSeller
  readonly rates: readonly VatRate[]
  /** As `sellerAndLeft` has it, in the operator's currency. */
  readonly left: Big
}

/** The same facts once the threshold is exceeded. */
export const beyond = (basis: VatBasis): VatBasis => ({
  ...basis,
  seller: { ...basis.seller, destination: true },
})

/** Reads the operator as a seller, and the known rates. */
export async function vatBasis(tx: Database, operator: Operator): Promise<VatBasis> {
  const { rows: rates } = await sql<VatRate>`
    select country, region, lower(valid) as from, upper(valid) as until, trim_scale(rate)::text as rate from vat_rates`.execute(
    tx,
  )
  return { ...(await sellerAndLeft(tx, operator)), rates }
}

type Known = { readonly basis: VatBasis; readonly proof: VatRuling['evidence']['proof'] }

/** The VAT treatment of a sale by what is known; the decision is null when the applicable rate is unknown. */
function decided(
  { operator, buyer, on }: Omit<Sale, 'clientId'>,
  { basis: { seller, rates }, proof }: Known,
) {
  const vatNumber = plainVatNumber(buyer.vat_number, buyer.country)
  const bought = { country: buyer.country, zipCode: buyer.zip_code, company: buyer.company, vatNumber }
  const decidedOn = operator.today
  const decision = vatFor({ seller, buyer: { ...bought, proof }, on, decidedOn, rates })
  return { decision, evidence: { on, decidedOn, seller, buyer: bought, proof } }
}

/** Whether a sale that would be taxed at home exceeds the threshold. Throws `documents_need_exchange_rate`. */
async function exceeds(
  tx: Database,
  { operator, on, sold }: Sale,
  { decision }: ReturnType<typeof decided>,
  { left }: VatBasis,
): Promise<boolean> {
  if (sold === undefined || decision?.treatment !== 'origin') return false
  const fx = await fxRate(tx, sold.currency, operator.currency, on)
  return sold
    .netAt(decision.rate)
    .times(fx?.rate ?? 1)
    .gt(left)
}

/**
 * The VAT treatment of a sale to a client on a day; the decision is null when the applicable rate is unknown. Throws
 * `documents_need_exchange_rate` for a sale whose amount counts for the threshold.
 */
export async function decideVat(tx: Database, sale: Sale) {
  const basis = await vatBasis(tx, sale.operator)
  const { vat_number, country } = sale.buyer
  const proof = await proofOf(tx, sale.clientId, plainVatNumber(vat_number, country))
  const atHome = decided(sale, { basis, proof })
  return (await exceeds(tx, sale, atHome, basis)) ? decided(sale, { basis: beyond(basis), proof }) : atHome
}

/** Throws `documents_need_union_scheme`, and `documents_need_vat_rate` when the applicable rate is unknown. */
function ruling({ decision, evidence }: ReturnType<typeof decided>, { buyer, on }: Omit<Sale, 'clientId'>) {
  if (decision !== null) return { decision, evidence }
  const { country } = buyer
  if (lacksUnionScheme(evidence.seller, country)) throw refuse('documents_need_union_scheme', { country })
  throw refuse('documents_need_vat_rate', { country, on: saidDay(on) })
}

/** As `ruleVat`, by what was read for many sales at once. */
export const ruleVatBy = (known: Known, sale: Omit<Sale, 'clientId'>): VatRuling =>
  ruling(decided(sale, known), sale)

/** As `decideVat`. Throws `documents_need_union_scheme`, and `documents_need_vat_rate` when the applicable rate is unknown. */
export async function ruleVat(tx: Database, sale: Sale): Promise<VatRuling> {
  return ruling(await decideVat(tx, sale), sale)
}

/**
 * VAT on a net amount: both exact decimals, the rate in percent. Rounded once to minor units (EN 16931 BR-CO-17).
 */
export const vatOn = (net: Big, rate: string, currency: string): Big =>
  rounded(net.times(rate).div(100), currency)

/** Splits a paid amount into net and VAT, which add up exactly. */
export function splitGross(
  gross: Big,
  rate: string,
  currency: string,
): { readonly net: Big; readonly vat: Big } {
  const net = rounded(gross.div(new Big(rate).div(100).plus(1)), currency)
  return { net, vat: gross.minus(net) }
}

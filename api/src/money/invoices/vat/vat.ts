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

/**
 * Whether consumer sales to other EU countries exceeded the threshold, this year or in the last one, below
 * which they are taxed at home (art. 59c).
 */
async function overThreshold(tx: Database, { threshold, today }: Operator): Promise<boolean> {
  const { rows } = await sql<{ over: boolean }>`
    select coalesce(max(sold), 0) > ${threshold}::numeric as over from (
      select sum(net * coalesce(fx_rate, 1)) as sold from invoices
      where vat_treatment in ('origin', 'destination') and kind <> 'proforma' and issued_at is not null
        and tax_point_date >= date_trunc('year', ${today}::date) - interval '1 year'
      group by date_trunc('year', tax_point_date)
    ) years`.execute(tx)
  return rows[0]?.over ?? false
}

/** The part of a buyer that VAT depends on. */
type Taxed = Pick<Buyer, 'country' | 'zip_code' | 'company' | 'vat_number'>
type Sale = {
  readonly operator: Operator
  readonly buyer: Taxed
  readonly clientId: number
  readonly on: string
}

/** The operator as a seller. */
export async function sellerOf(tx: Database, operator: Operator): Promise<VatSeller> {
  const { country, vat_number } = operator.seller
  const destination = operator.destination || (inUnion(country) && (await overThreshold(tx, operator)))
  return { country, registered: vat_number !== null, destination }
}

/** The facts that all decisions of one transaction share. */
export type VatBasis = { readonly seller: VatSeller; readonly rates: readonly VatRate[] }

/** Reads the operator as a seller, and the known rates. */
export async function vatBasis(tx: Database, operator: Operator): Promise<VatBasis> {
  const { rows: rates } = await sql<VatRate>`
    select country, region, lower(valid) as from, upper(valid) as until, trim_scale(rate)::text as rate from vat_rates`.execute(
    tx,
  )
  return { seller: await sellerOf(tx, operator), rates }
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

/** The VAT treatment of a sale to a client on a day; the decision is null when the applicable rate is unknown. */
export async function decideVat(tx: Database, sale: Sale) {
  const basis = await vatBasis(tx, sale.operator)
  const { vat_number, country } = sale.buyer
  const proof = await proofOf(tx, sale.clientId, plainVatNumber(vat_number, country))
  return decided(sale, { basis, proof })
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

/** As `ruleVat`, by the seller that another document was decided by. Throws like `ruleVat`. */
export async function ruleVatAs(tx: Database, seller: VatSeller, sale: Sale): Promise<VatRuling> {
  const { rates } = await vatBasis(tx, sale.operator)
  const { vat_number, country } = sale.buyer
  const proof = await proofOf(tx, sale.clientId, plainVatNumber(vat_number, country))
  return ruleVatBy({ basis: { seller, rates }, proof }, sale)
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

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
import {
  type Counted,
  exceeds,
  isExceeded,
  type SoldAbroad,
  soldAbroad,
  sumsOf,
  type TaxedAtHome,
  type ThresholdSums,
} from './threshold.ts'

/** The VAT treatment of a sale with its evidence, stored with the document. */
export type VatRuling = {
  readonly decision: VatDecision
  readonly evidence: {
    readonly on: string
    readonly decidedOn: string
    readonly seller: VatSeller
    readonly buyer: Omit<VatBuyer, 'proof'>
    readonly proof: (VatProof & { readonly reference: string | null; readonly source: string }) | null
    /** Null where no threshold decides. */
    readonly threshold: ThresholdSums | null
  }
  /** What has to hold until the document has its number. */
  readonly atHome?: TaxedAtHome | undefined
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

/** The part of a buyer that VAT depends on. */
type Taxed = Pick<Buyer, 'country' | 'zip_code' | 'company' | 'vat_number'>
type Sale = {
  readonly operator: Operator
  readonly buyer: Taxed
  readonly clientId: number
  readonly on: string
  /** What of it counts for the threshold; undefined where only a rate is asked for. */
  readonly sold?: Counted | undefined
}

/** The facts that all decisions of a day share. */
export type VatBasis = {
  readonly seller: VatSeller
  readonly rates: readonly VatRate[]
  /** Null where no threshold applies. */
  readonly abroad: SoldAbroad | null
}

/** The operator as a seller on a day, and what counts for the threshold. */
async function sellerOn(
  tx: Database,
  operator: Operator,
  on: string,
): Promise<Pick<VatBasis, 'seller' | 'abroad'>> {
  const { country, vat_number } = operator.seller
  const registered = vat_number !== null
  if (operator.destination || !inUnion(country))
    return { seller: { country, registered, destination: operator.destination }, abroad: null }
  const abroad = await soldAbroad(tx, operator, on)
  return { seller: { country, registered, destination: isExceeded(abroad) }, abroad }
}

/** The operator as a seller today. */
export const sellerOf = async (tx: Database, operator: Operator): Promise<VatSeller> =>
  (await sellerOn(tx, operator, operator.today)).seller

/** The same facts after more was sold. */
export function withSold(basis: VatBasis, more: Pick<SoldAbroad, 'now' | 'before'>): VatBasis {
  const { seller, abroad } = basis
  if (abroad === null) return basis
  const all = { ...abroad, now: abroad.now.plus(more.now), before: abroad.before.plus(more.before) }
  return { ...basis, seller: { ...seller, destination: isExceeded(all) }, abroad: all }
}

/** Reads the operator as a seller on a day, and the known rates. */
export async function vatBasis(tx: Database, operator: Operator, on: string): Promise<VatBasis> {
  const { rows: rates } = await sql<VatRate>`
    select country, region, lower(valid) as from, upper(valid) as until, trim_scale(rate)::text as rate from vat_rates`.execute(
    tx,
  )
  return { ...(await sellerOn(tx, operator, on)), rates }
}

type Known = {
  readonly basis: VatBasis
  readonly proof: VatRuling['evidence']['proof']
  /** One unit of the currency of the sale in that of VAT, where these differ. */
  readonly fx?: string | undefined
}

/** The VAT treatment of a sale by what is known; the decision is null when the applicable rate is unknown. */
function decided(
  { operator, buyer, on }: Omit<Sale, 'clientId'>,
  { basis: { seller, rates, abroad }, proof }: Known,
) {
  const vatNumber = plainVatNumber(buyer.vat_number, buyer.country)
  const bought = { country: buyer.country, zipCode: buyer.zip_code, company: buyer.company, vatNumber }
  const decidedOn = operator.today
  const decision = vatFor({ seller, buyer: { ...bought, proof }, on, decidedOn, rates })
  const isCounted = abroad !== null && ['origin', 'destination'].includes(decision?.treatment ?? '')
  const threshold = isCounted ? sumsOf(abroad, on, operator.currency) : null
  return { decision, evidence: { on, decidedOn, seller, buyer: bought, proof, threshold } }
}

type Decided = Omit<VatRuling, 'decision'> & { readonly decision: VatDecision | null }

/** As `decided`, for a sale that may exceed the threshold itself. */
function decidedAsSold(sale: Omit<Sale, 'clientId'>, known: Known): Decided {
  const atHome = decided(sale, known)
  const { seller, abroad } = known.basis
  if (!sale.sold || abroad === null || atHome.decision?.treatment !== 'origin') return atHome
  const beyond = decided(sale, {
    ...known,
    basis: { ...known.basis, seller: { ...seller, destination: true } },
  })
  const { rate: home } = atHome.decision
  const rates = { home, there: beyond.decision?.rate, fx: known.fx }
  const net = sale.sold.netAt(home).times(known.fx ?? 1)
  const isAbove = exceeds(abroad, sale.sold, rates)
  const { decision, evidence } = isAbove ? beyond : atHome
  const threshold = { ...sumsOf(abroad, sale.on, sale.operator.currency), sale: net.toFixed(2) }
  return {
    decision,
    evidence: { ...evidence, threshold },
    atHome: isAbove ? undefined : { on: sale.on, sold: abroad, upTo: abroad.now.plus(net) },
  }
}

/**
 * The VAT treatment of a sale to a client on a day; the decision is null when the applicable rate is unknown. Throws
 * `documents_need_exchange_rate` for an amount that counts for the threshold.
 */
export async function decideVat(tx: Database, sale: Sale): Promise<Decided> {
  const { operator, sold, on } = sale
  const basis = await vatBasis(tx, operator, on)
  const { vat_number, country } = sale.buyer
  const proof = await proofOf(tx, sale.clientId, plainVatNumber(vat_number, country))
  const atHome = decided(sale, { basis, proof })
  if (!sold || basis.abroad === null || atHome.decision?.treatment !== 'origin') return atHome
  // Money that only pays bills sells nothing, and needs no exchange rate.
  if (sold.netAt('0').lte(0)) return atHome
  const fx = await fxRate(tx, sold.currency, operator.currency, on)
  return decidedAsSold(sale, { basis, proof, fx: fx?.rate })
}

/** Throws `documents_need_union_scheme`, and `documents_need_vat_rate` when the applicable rate is unknown. */
function ruling({ decision, evidence, atHome }: Decided, { buyer, on }: Omit<Sale, 'clientId'>): VatRuling {
  if (decision !== null) return { decision, evidence, atHome }
  const { country } = buyer
  if (lacksUnionScheme(evidence.seller, country)) throw refuse('documents_need_union_scheme', { country })
  throw refuse('documents_need_vat_rate', { country, on: saidDay(on) })
}

/** As `ruleVat`, by what was read for many sales at once. */
export const ruleVatBy = (known: Known, sale: Omit<Sale, 'clientId'>): VatRuling =>
  ruling(decidedAsSold(sale, known), sale)

/** As `decideVat`. Throws `documents_need_union_scheme`, and `documents_need_vat_rate` when the applicable rate is unknown. */
export async function ruleVat(tx: Database, sale: Sale): Promise<VatRuling> {
  return ruling(await decideVat(tx, sale), sale)
}

/** As `ruleVat`, by the seller that another document was decided by. Throws like `ruleVat`. */
export async function ruleVatAs(tx: Database, seller: VatSeller, sale: Sale): Promise<VatRuling> {
  const { rates } = await vatBasis(tx, sale.operator, sale.on)
  const { vat_number, country } = sale.buyer
  const proof = await proofOf(tx, sale.clientId, plainVatNumber(vat_number, country))
  return ruleVatBy({ basis: { seller, rates, abroad: null }, proof }, sale)
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

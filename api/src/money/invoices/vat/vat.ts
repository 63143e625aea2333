import {
  inUnion,
  lacksUnionScheme,
  type VatBuyer,
  type VatDecision,
  type VatProof,
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
  const prefix = country === 'GR' ? 'EL' : country
  if (plain.startsWith(prefix)) return plain
  return `${prefix}${plain.startsWith(country) ? plain.slice(2) : plain}`
}

/** The last conclusive check of the number. */
async function proofOf(
  tx: Database,
  clientId: number,
  vatNumber: string | null,
): Promise<VatRuling['evidence']['proof']> {
  if (vatNumber === null) return null
  const found = await tx
    .selectFrom('vat_checks')
    .select(['vat_number', 'status', 'source', 'request_identifier'])
    .select(sql<string>`(checked_at at time zone 'utc')::date`.as('checked_on'))
    .where('client_id', '=', clientId)
    .where('vat_number', '=', vatNumber)
    .where('status', '<>', 'unavailable')
    .orderBy('checked_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!found) return null
  return {
    vatNumber,
    valid: found.status === 'valid',
    checkedOn: found.checked_on,
    reference: found.request_identifier,
    source: found.source,
  }
}

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

/** The VAT treatment of a sale to a client on a day; the decision is null when the applicable rate is unknown. */
export async function decideVat(tx: Database, { operator, buyer, clientId, on }: Sale) {
  const { rows: rates } = await sql<{
    country: string
    region: string
    from: string
    until: string | null
    rate: string
  }>`
    select country, region, lower(valid) as from, upper(valid) as until, trim_scale(rate)::text as rate from vat_rates`.execute(
    tx,
  )
  const vatNumber = plainVatNumber(buyer.vat_number, buyer.country)
  const seller = await sellerOf(tx, operator)
  const bought = { country: buyer.country, zipCode: buyer.zip_code, company: buyer.company, vatNumber }
  const proof = await proofOf(tx, clientId, vatNumber)
  const decidedOn = operator.today
  const decision = vatFor({ seller, buyer: { ...bought, proof }, on, decidedOn, rates })
  return { decision, evidence: { on, decidedOn, seller, buyer: bought, proof } }
}

/** As `decideVat`. Throws `documents_need_union_scheme`, and `documents_need_vat_rate` when the applicable rate is unknown. */
export async function ruleVat(tx: Database, sale: Sale): Promise<VatRuling> {
  const { decision, evidence } = await decideVat(tx, sale)
  if (decision !== null) return { decision, evidence }
  const { country } = sale.buyer
  if (lacksUnionScheme(evidence.seller, country)) throw refuse('documents_need_union_scheme', { country })
  throw refuse('documents_need_vat_rate', { country, on: sale.on })
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

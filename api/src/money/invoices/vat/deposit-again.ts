import type { VatSeller } from '@portico/contract/rules/vat.ts'
import Big from 'big.js'
import * as z from 'zod/mini'
import { type Buyer, buyer } from '#money/invoices/documents/document.ts'
import { type BilledNow, billedOf, operatorOf } from '#money/invoices/parties.ts'
import type { RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { plainVatNumber, ruleVatAs, sellerOf } from './vat.ts'

type Invoice = RowOf<'invoices'>

/** Why a deposit's invoice is issued again: without VAT, or with other details and the same VAT. */
export type Again = { readonly kind: 'freed' } | { readonly kind: 'details'; readonly billed: BilledNow }

const decidedBy = z.object({
  seller: z.object({ country: z.string(), registered: z.boolean(), destination: z.boolean() }),
})

/** The details that a document states of its buyer. */
const stated = [
  'name',
  'company',
  'vat_number',
  'registration_number',
  'commerce_code',
  'address1',
  'address2',
  'city',
  'state',
  'county_code',
  'zip_code',
  'country',
] as const satisfies readonly (keyof Buyer)[]

/**
 * Whether a buyer of now is the one of a document as far as the country and the kind decide. Who has moved since, or is a company
 * only since, was taxed rightly: the circumstances of the tax point count (Implementing Regulation (EU) 282/2011, art. 25).
 */
export const isSamePlace = (before: Buyer, now: Buyer): boolean =>
  before.country === now.country && before.company === now.company

const decidesAlike = (before: Buyer, now: Buyer): boolean =>
  before.zip_code === now.zip_code &&
  plainVatNumber(before.vat_number, before.country) === plainVatNumber(now.vat_number, now.country)

/** The seller by which an invoice was decided; of now where it does not say so. */
export async function sellerThen(tx: Database, { vat_evidence: evidence }: Invoice): Promise<VatSeller> {
  const found = z.safeParse(decidedBy, evidence)
  return found.success ? found.data.seller : sellerOf(tx, await operatorOf(tx))
}

/** The VAT that an invoice would have had with the details of now, by the rates and the seller of its own tax point. */
async function decidedThen(tx: Database, row: Invoice, { buyer: now }: BilledNow) {
  const operator = await operatorOf(tx)
  const on = row.tax_point_date ?? operator.today
  return ruleVatAs(tx, await sellerThen(tx, row), { operator, buyer: now, clientId: row.client_id, on })
}

/**
 * Decides how the invoice of a deposit is issued again by what its buyer has stated since. Its VAT stays, unless it should have been
 * a reverse charge by the facts of its tax point: the buyer is the same company in the same country, whose number is proven now. Throws
 * `storno_moved`, `storno_same_vat` where nothing differs, `storno_other_vat`, and like `billedOf`.
 */
export async function againBy(tx: Database, row: Invoice): Promise<Again> {
  const before = z.parse(buyer, row.buyer)
  const billed = await billedOf(tx, row.client_id)
  const { buyer: now } = billed
  if (!isSamePlace(before, now)) throw refuse('storno_moved')
  const { decision } = await decidedThen(tx, row, billed)
  if (new Big(row.vat).gt(0) && decision.category === 'AE') return { kind: 'freed' }
  if (stated.every((detail) => before[detail] === now[detail])) throw refuse('storno_same_vat')
  const isTaxedAlike =
    decision.treatment === row.vat_treatment &&
    decision.country === row.vat_country &&
    new Big(decision.rate).eq(row.vat_rate)
  if (!isTaxedAlike && !decidesAlike(before, now)) throw refuse('storno_other_vat')
  return { kind: 'details', billed }
}

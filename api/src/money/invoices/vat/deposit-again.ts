import type { VatDecision, VatSeller } from '@portico/contract/rules/vat.ts'
import Big from 'big.js'
import * as z from 'zod/mini'
import { type Buyer, buyer } from '#money/invoices/documents/document.ts'
import { type BilledNow, billedOf, operatorOf } from '#money/invoices/parties.ts'
import type { RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { plainVatNumber, ruleVatAs, sellerOf } from './vat.ts'

type Invoice = RowOf<'invoices'>

/**
 * How the invoice of a deposit is issued again. `freed`: without VAT. `details`: with other details and the same VAT. `reissued`: with
 * the VAT that the other details lead to, only where the tax office refused the first invoice. `billed` is the buyer of today.
 */
export type Again = { readonly kind: 'freed' | 'details' | 'reissued'; readonly billed: BilledNow }

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

const numberOf = ({ vat_number, country }: Buyer) => plainVatNumber(vat_number, country)

const decidesAlike = (before: Buyer, now: Buyer): boolean =>
  before.zip_code === now.zip_code && numberOf(before) === numberOf(now)

/** Another number is none of the time of the payment; the first one of a company is (0213). */
const isOtherNumber = (before: Buyer, now: Buyer): boolean =>
  numberOf(before) !== null && numberOf(before) !== numberOf(now)

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

type Case = { readonly before: Buyer; readonly now: Buyer; readonly isRefused: boolean }

/** How the buyer of the same kind and place is invoiced again; undefined where other details would change the VAT. */
function inPlace(
  row: Invoice,
  decision: VatDecision,
  { before, now, isRefused }: Case,
): Again['kind'] | undefined {
  const isFree = new Big(row.vat).gt(0) && decision.category === 'AE'
  if (isFree && !isOtherNumber(before, now)) return 'freed'
  const isTaxedAlike =
    decision.treatment === row.vat_treatment &&
    decision.country === row.vat_country &&
    new Big(decision.rate).eq(row.vat_rate)
  if (isTaxedAlike || decidesAlike(before, now)) return 'details'
  if (!isRefused) return undefined
  return isFree ? 'details' : 'reissued'
}

/**
 * Decides how the invoice of a deposit is issued again by what its buyer has stated since. Its VAT stays, unless it should have been
 * a reverse charge by the facts of its tax point: the buyer is the same company in the same country, whose number is proven now, and the
 * invoice states no other one. Throws like `billedOf`, and, for what the tax office does not refuse, `storno_moved`, `storno_same_vat`
 * where nothing differs, and `storno_other_vat`.
 */
export async function againBy(
  tx: Database,
  row: Invoice,
  { isRefused }: { readonly isRefused: boolean },
): Promise<Again> {
  const before = z.parse(buyer, row.buyer)
  const billed = await billedOf(tx, row.client_id)
  const { buyer: now } = billed
  if (!isSamePlace(before, now)) {
    if (isRefused) return { kind: 'reissued', billed }
    throw refuse('storno_moved')
  }
  const { decision } = await decidedThen(tx, row, billed)
  const kind = inPlace(row, decision, { before, now, isRefused })
  if (kind === undefined) throw refuse('storno_other_vat')
  const isSame = stated.every((detail) => before[detail] === now[detail])
  if (kind === 'details' && isSame && !isRefused) throw refuse('storno_same_vat')
  return { kind, billed }
}

import { inUnion, type VatSeller } from '../vat.ts'

/** Cases that the tax rules do not support. */
export const taxGaps = [
  'home_rate_unknown',
  'member_rate_unknown',
  'union_scheme_missing',
  'sales_tax',
  'home_rules_simple',
  'elsewhere_untaxed',
] as const

export type TaxGap = (typeof taxGaps)[number]

/** Countries whose tax on sales has no single rate for the whole country. */
const withoutOneRate: readonly string[] = ['BR', 'CA', 'IN', 'US']

/**
 * Cases that the VAT rules do not support for a seller, whose country's rate, and those of the EU, are known today or not.
 * `stops`: such sales are refused.
 */
export function taxGapsOf(
  seller: VatSeller,
  known: { readonly home: boolean; readonly members: boolean },
): { readonly code: TaxGap; readonly stops: boolean }[] {
  const isMember = inUnion(seller.country)
  const found: [code: TaxGap, applies: boolean, stops: boolean][] = [
    ['sales_tax', withoutOneRate.includes(seller.country), false],
    ['home_rate_unknown', seller.registered && !known.home, true],
    ['union_scheme_missing', seller.registered && !isMember && !seller.destination, true],
    ['member_rate_unknown', seller.registered && seller.destination && !known.members, true],
    ['home_rules_simple', seller.registered && !isMember, false],
    ['elsewhere_untaxed', seller.registered, false],
  ]
  return found.filter(([, applies]) => applies).map(([code, , stops]) => ({ code, stops }))
}

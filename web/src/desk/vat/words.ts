import type { TaxGap } from '@portico/contract/rules/tax/tax-gaps.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'

/** The unsupported cases, in words. */
export const gapTexts: Readonly<Record<TaxGap, () => string>> = {
  home_rate_unknown: m.desk_tax_gap_home_rate,
  member_rate_unknown: m.desk_tax_gap_member_rate,
  union_scheme_missing: m.desk_tax_gap_union_scheme,
  sales_tax: m.desk_tax_gap_sales_tax,
  home_rules_simple: m.desk_tax_gap_home_rules,
  elsewhere_untaxed: m.desk_tax_gap_elsewhere,
}

const regions: Readonly<Record<string, () => string>> = {
  azores: m.desk_vat_azores,
  madeira: () => 'Madeira',
  kleinwalsertal: m.desk_vat_kleinwalsertal,
}

/** The name of a country in the language of the reader. */
export const countryName = (code: string): string =>
  new Intl.DisplayNames(language(), { type: 'region' }).of(code) ?? code

/** The name of a country, with the region that has a rate of its own. */
export const placeName = (code: string, region: string): string =>
  region === '' ? countryName(code) : `${countryName(code)}, ${regions[region]?.() ?? region}`

/** Percentages, in the language of the reader. */
export const percents = (rates: readonly number[]): string =>
  rates
    .map((rate) =>
      new Intl.NumberFormat(language(), { style: 'percent', maximumFractionDigits: 2 }).format(rate / 100),
    )
    .join(', ')

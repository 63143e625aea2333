import { companyAccount } from '@portico/contract/rules/billing-complete.ts'
import { inUnion, taxCountry } from '@portico/contract/rules/vat.ts'
import type { RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { type Problem, Problems, refuse } from '#platform/errors/problem.ts'
import { plainVatNumber } from './vat.ts'
import { canBeVatNumber } from './vat-checks.ts'

/** The forms of VAT numbers by country, as the tax offices publish them; 9 is a digit, X a digit or letter. */
const forms: Readonly<Record<string, string | undefined>> = {
  AT: 'ATU99999999',
  BE: 'BE0999999999',
  BG: 'BG999999999',
  CY: 'CY99999999X',
  CZ: 'CZ99999999',
  DE: 'DE999999999',
  DK: 'DK99999999',
  EE: 'EE999999999',
  ES: 'ESX9999999X',
  FI: 'FI99999999',
  FR: 'FRXX999999999',
  GR: 'EL999999999',
  HR: 'HR99999999999',
  HU: 'HU99999999',
  IE: 'IE9999999XX',
  IT: 'IT99999999999',
  LT: 'LT999999999',
  LU: 'LU99999999',
  LV: 'LV99999999999',
  MT: 'MT99999999',
  NL: 'NL999999999B99',
  PL: 'PL9999999999',
  PT: 'PT999999999',
  RO: 'RO99999999',
  SE: 'SE999999999901',
  SI: 'SI99999999',
  SK: 'SK9999999999',
}

type Details = Pick<
  RowOf<'client_entities'>,
  'account_type' | 'country_id' | 'vat_number' | 'registration_number' | 'commerce_code'
>

type Country = { readonly code: string; readonly name: string; readonly name_ro: string }

type Place = { readonly source: { readonly pointer: string } }

const inAttributes = (field: keyof Details): Place => ({ source: { pointer: `/data/attributes/${field}` } })

/** A text without separators; null when nothing is left. */
const plain = (text: string | null): string | null =>
  text?.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase() || null

/** A Romanian tax number (CUI) without the prefix that only VAT numbers have. */
const romanianNumber = (text: string | null): string | null => plain(text)?.replace(/^RO/, '') ?? null

/** Whether a number can be none of its country: by its own form, or because it is whole with another prefix. */
function isImpossible(vat: string, typed: string | null): boolean {
  const whole = plain(typed) ?? ''
  return !canBeVatNumber(vat) || (!vat.startsWith(whole.slice(0, 2)) && canBeVatNumber(whole))
}

type Numbers = {
  readonly vat: string | null
  readonly typed: string | null
  readonly registration: string | null
}

function faults(
  country: Country | undefined,
  { vat, typed, registration }: Numbers,
  at: (field: keyof Details) => Place,
): Problem[] {
  const form = forms[taxCountry(country?.code ?? '')]
  const isVatWrong = vat !== null && form !== undefined && isImpossible(vat, typed)
  const isCuiWrong = registration !== null && country?.code === 'RO' && !canBeVatNumber(`RO${registration}`)
  return [
    ...(country && form && isVatWrong
      ? [
          refuse(
            'vat_number_impossible',
            { country: { en: country.name, ro: country.name_ro }, form },
            at('vat_number'),
          ),
        ]
      : []),
    ...(isCuiWrong ? [refuse('registration_number_impossible', {}, at('registration_number'))] : []),
  ]
}

/**
 * The identifiers of billing details as they are kept: empty ones are null, a VAT number of the EU has its
 * country's prefix and no separators. Throws `vat_number_impossible` and `registration_number_impossible` for
 * a company, at the place of the field in the request.
 */
export async function keptIdentifiers(tx: Database, details: Details, at = inAttributes) {
  const country = await tx
    .selectFrom('countries')
    .select(['code', 'name', 'name_ro'])
    .where('id', '=', details.country_id ?? 0)
    .executeTakeFirst()
  const typed = details.vat_number
  const vat_number = country && inUnion(country.code) ? plainVatNumber(typed, country.code) : plain(typed)
  const registration_number =
    country?.code === 'RO'
      ? romanianNumber(details.registration_number)
      : details.registration_number?.trim() || null
  const wrong =
    details.account_type === companyAccount
      ? faults(country, { vat: vat_number, typed, registration: registration_number }, at)
      : []
  if (wrong.length > 0) throw new Problems(wrong)
  return { vat_number, registration_number, commerce_code: details.commerce_code?.trim() || null }
}

import { fault } from '@portico/contract/refusals/fields.ts'
import { operatorDetails } from '@portico/contract/resources/operator-profiles.ts'
import * as z from 'zod/mini'
import type { Row } from '../../api/rows.ts'
import { filled, orNull } from '../../components/forms/blank.ts'
import { amountIn } from '../../components/money/amount.ts'
import { m } from '../../texts/compiled/messages.js'
import { reasonRule, wholeNumber } from '../verbs/form-rules.ts'

const of = operatorDetails

/** Accepts an empty optional field besides its rule. The server checks the rest again. */
const orEmpty = z.string()

/** The rules of the form: texts as they are typed. */
export const companyRules = z.object({
  legal_name: of.legal_name,
  vat_number: filled(of.vat_number),
  tax_number: of.tax_number,
  commerce_code: filled(of.commerce_code),
  address1: of.address1,
  city: of.city,
  county_code: orEmpty,
  zip_code: filled(of.zip_code),
  country: of.country,
  email: orEmpty,
  phone: orEmpty,
  website: filled(of.website),
  iban: orEmpty,
  bank_name: filled(of.bank_name),
  oss_registered: z.boolean(),
  oss_threshold: z
    .string()
    .check(z.refine((text) => amountIn(text, thresholds) !== undefined, fault('decimals_most'))),
  base_currency: of.base_currency,
  time_zone: of.time_zone,
  due_days: wholeNumber,
  proforma_days: wholeNumber,
  reason: reasonRule,
})

export type CompanyValues = z.output<typeof companyRules>

const thresholds = { least: 0, most: 9_999_999 }

type Company = Omit<Row<'operator-profiles'>, keyof Stamps>
type Stamps = Pick<
  Row<'operator-profiles'>,
  'id' | 'type' | 'may' | 'denied' | 'series' | 'createdAt' | 'updatedAt'
>

/** The initial values of a company that is not set yet; most are in Romania. */
const unset: Company = {
  legal_name: '',
  vat_number: null,
  tax_number: '',
  commerce_code: null,
  address1: '',
  city: '',
  county_code: null,
  zip_code: null,
  country: 'RO',
  email: null,
  phone: null,
  website: null,
  iban: null,
  bank_name: null,
  oss_registered: false,
  oss_threshold: 46_337,
  base_currency: 'RON',
  time_zone: 'Europe/Bucharest',
  due_days: 14,
  proforma_days: 15,
}

const typed = (text: string | null): string => text ?? ''

/** The form of a company; the first one needs no explanation. */
export const valuesOf = (company: Company = unset): CompanyValues => ({
  legal_name: company.legal_name,
  vat_number: typed(company.vat_number),
  tax_number: company.tax_number,
  commerce_code: typed(company.commerce_code),
  address1: company.address1,
  city: company.city,
  county_code: typed(company.county_code),
  zip_code: typed(company.zip_code),
  country: company.country,
  email: typed(company.email),
  phone: typed(company.phone),
  website: typed(company.website),
  iban: typed(company.iban),
  bank_name: typed(company.bank_name),
  oss_registered: company.oss_registered,
  oss_threshold: String(company.oss_threshold),
  base_currency: company.base_currency,
  time_zone: company.time_zone,
  due_days: String(company.due_days),
  proforma_days: String(company.proforma_days),
  reason: company === unset ? m.desk_verb_reason_first() : '',
})

/** The form on the wire: an empty optional field is null. */
export const onTheWire = ({ reason: _, ...values }: CompanyValues) => ({
  ...values,
  vat_number: orNull(values.vat_number),
  commerce_code: orNull(values.commerce_code),
  county_code: orNull(values.county_code),
  zip_code: orNull(values.zip_code),
  email: orNull(values.email.trim()),
  phone: orNull(values.phone.trim()),
  website: orNull(values.website),
  iban: orNull(values.iban.trim()),
  bank_name: orNull(values.bank_name),
  oss_threshold: amountIn(values.oss_threshold, thresholds) ?? 0,
  due_days: Number(values.due_days),
  proforma_days: Number(values.proforma_days),
})

import * as z from 'zod/mini'
import { email } from '../calls/credentials.ts'
import { line, money, moneyInput, phoneNumber, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

const countryCode = z.string().check(z.regex(/^[A-Z]{2}$/, fault('value_invalid')))

/** The kind of documents that a series numbers. */
export const seriesKinds = ['proforma', 'fiscal', 'credit_note'] as const

const series = z.object({
  kind: z.enum(seriesKinds),
  prefix: z.string(),
  /** The number of its next document. */
  next_number: z.int(),
  last_issue_date: z.nullable(z.iso.date()),
  active: z.boolean(),
  /** The operator's own decision that the series rests on. */
  legal_decision: z.nullable(z.string()),
})

const days = (least: number) =>
  z
    .int()
    .check(z.gte(least, fault('number_least', { least })), z.lte(365, fault('number_most', { most: 365 })))

/** The operator's details on documents, and how documents are made. */
export const operatorDetails = {
  legal_name: line(200, { required: fault('company_name_required') }),
  /** With the prefix of the country; null while the operator is not registered for VAT. */
  vat_number: z.nullable(line(20)),
  /** The number at the tax office; in Romania the CUI without RO. */
  tax_number: line(20, { required: fault('value_required') }),
  commerce_code: z.nullable(line(40)),
  address1: line(150, { required: fault('value_required') }),
  city: line(50, { required: fault('value_required') }),
  /** ISO 3166-2; in Romania required. */
  county_code: z.nullable(z.string()),
  zip_code: z.nullable(line(20)),
  /** ISO 3166-1. It stays once a document is issued. */
  country: countryCode,
  email: z.nullable(email),
  phone: z.nullable(phoneNumber),
  website: z.nullable(line(200)),
  /** Checked by its digits. */
  iban: z.nullable(line(42)),
  bank_name: z.nullable(line(100)),
  /** Registered for the one-stop shop, or has chosen the rates of the buyers' countries. */
  oss_registered: z.boolean(),
  /** The currency in which VAT is declared (ISO 4217). It stays once a document is issued. */
  base_currency: z.string().check(z.regex(/^[A-Z]{3}$/, fault('value_invalid'))),
  /** The day of a document is the day there (IANA). */
  time_zone: line(60),
  /** When an invoice is due after its day, in days. */
  due_days: days(0),
  /** How long a proforma can be paid, in days. */
  proforma_days: days(1),
} as const

const oss_threshold = moneyInput({ least: 0, most: 99_999_999 })

export const operatorProfiles = resource('operator-profiles', {
  description:
    'The company that documents are issued by, with its series of numbers; none until it is set up. Issued documents do not change.',
  attributes: {
    ...operatorDetails,
    /** The EU-wide threshold of sales to consumers abroad, in `base_currency`. */
    oss_threshold: money,
    series: z.array(series),
    ...stamps,
  },
  actions: {
    editOperator: action({
      method: 'POST',
      on: 'type',
      description:
        'Administrators only: sets the company, for the next documents. `operator_fixed` where the country or the currency of VAT would change after a document was issued. Needs a recent sign-in.',
      input: z.strictObject({ ...operatorDetails, oss_threshold }),
      output: z.object({ legal_name: z.string() }),
    }),
    addSeries: action({
      method: 'POST',
      on: 'type',
      description:
        'Administrators only: begins a series, which all further documents of its kind are numbered in; the one before ends. `series_prefix_taken` where a prefix was used before. Needs a recent sign-in.',
      input: z.strictObject({
        kind: z.enum(seriesKinds),
        prefix: z
          .string()
          .check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z][A-Z0-9]{0,9}$/, fault('value_invalid'))),
        legal_decision: z.optional(line(200)),
      }),
      output: series,
    }),
  },
})

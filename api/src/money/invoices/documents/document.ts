import * as z from 'zod/mini'

const optional = z.nullable(z.string())

/** The seller, as stored with a document. Codes are ISO 3166. */
export const seller = z.object({
  name: z.string(),
  vat_number: optional,
  tax_number: z.string(),
  commerce_code: optional,
  address1: z.string(),
  city: z.string(),
  county_code: optional,
  county_name: optional,
  zip_code: optional,
  country: z.string(),
  country_en: z.string(),
  country_ro: z.string(),
  email: optional,
  phone: optional,
  website: optional,
  iban: optional,
  bank_name: optional,
})
export type Seller = z.infer<typeof seller>

/** The buyer, as stored with a document. */
export const buyer = z.object({
  name: z.string(),
  company: z.boolean(),
  vat_number: optional,
  /** Absent on documents from before it was kept. */
  registration_number: z._default(optional, null),
  commerce_code: optional,
  address1: z.string(),
  address2: optional,
  city: z.string(),
  state: optional,
  county_code: optional,
  county_name: optional,
  zip_code: z.string(),
  country: z.string(),
  country_en: z.string(),
  country_ro: z.string(),
  email: z.string(),
})
export type Buyer = z.infer<typeof buyer>

const category = z.enum(['S', 'AE', 'O'])

/**
 * The VAT groups of a document, as stored; amounts are exact decimals. `treatment` says why a group has no VAT;
 * documents from before it was stored lack it.
 */
export const vatGroups = z.array(
  z.object({
    country: z.string(),
    category,
    rate: z.string(),
    treatment: z.optional(z.string()),
    net: z.string(),
    vat: z.string(),
  }),
)

const line = z.object({
  description_en: z.string(),
  description_ro: z.string(),
  quantity: z.string(),
  unit_code: z.string(),
  unit_price: z.string(),
  net: z.string(),
  vat_category: category,
  vat_rate: z.string(),
})

/** The logo on a document: an SVG, or the data URL of an image. A mark, which holds no name, has the name beside it. */
export const documentLogo = z.nullable(
  z.union([z.string(), z.object({ image: z.string(), isMark: z.boolean() })]),
)
export type DocumentLogo = z.infer<typeof documentLogo>

/** The complete data of a document's files. Days are ISO dates, amounts exact decimals. */
export const documentData = z.object({
  kind: z.enum(['proforma', 'fiscal', 'credit_note']),
  reason: z.enum(['advance', 'service_bill', 'manual', 'storno']),
  full_number: z.string(),
  currency: z.string(),
  issue_date: z.string(),
  due_date: z.string(),
  tax_point_date: z.string(),
  /** The first and the last day of the billing period. */
  period_from: optional,
  period_to: optional,
  seller,
  buyer,
  vat_treatment: z.string(),
  vat_groups: vatGroups,
  net: z.string(),
  vat: z.string(),
  total: z.string(),
  local_currency: z.string(),
  vat_local: z.string(),
  fx_rate: optional,
  fx_date: optional,
  fx_source: optional,
  notes: optional,
  po_number: optional,
  locale: z.enum(['en', 'ro']),
  issued_at: z.string(),
  /** A proforma that is not to be paid any more. */
  cancelled: z.optional(z.boolean()),
  /** The invoices that a credit note credits, and the advances deducted from a bill. */
  refers_to: z.array(z.object({ full_number: z.string(), issue_date: z.string() })),
  lines: z.array(line),
})
export type DocumentData = z.infer<typeof documentData>

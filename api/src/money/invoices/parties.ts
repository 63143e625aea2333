import type { BillingGap } from '@portico/contract/resources/billing-profiles.ts'
import { companyAccount } from '@portico/contract/rules/billing-complete.ts'
import { addDays } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { type Buyer, buyer, type Seller, seller } from '#money/invoices/documents/document.ts'
import { clientsWithLanguage } from '#notifications/clients-with-language.ts'
import { aliased } from '#platform/db/aliased.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { type Problem, Problems, refuse } from '#platform/errors/problem.ts'

/** The operator's current details and document settings. */
export type Operator = {
  readonly seller: Seller
  readonly destination: boolean
  /** The EU-wide threshold for cross-border consumer sales; exact, in `currency`. */
  readonly threshold: string
  /** The VAT accounting currency. */
  readonly currency: string
  /** The operator's current day, by the business clock. */
  readonly today: string
  readonly dueDays: number
  readonly proformaDays: number
}

type Place = { readonly county_code: string | null; readonly city: string | null }

/** The city as documents state it: in Bucharest the sector, however it was typed (BR-RO-100). */
const cityOf = ({ county_code, city }: Place): string | null =>
  county_code === 'RO-B' && city !== null ? city.replace(/\s/g, '').toUpperCase() : city

/** Reads the operator. Throws `documents_need_operator` while none is set. */
export async function operatorOf(tx: Database): Promise<Operator> {
  const operator = await operatorIfSet(tx)
  if (!operator) throw refuse('documents_need_operator')
  return operator
}

/** The operator; undefined while none is set. */
export async function operatorIfSet(tx: Database): Promise<Operator | undefined> {
  const found = await tx
    .selectFrom('operator_profile as o')
    .innerJoin('countries as c', 'c.code', 'o.country')
    .leftJoin('counties as y', 'y.code', 'o.county_code')
    .select(aliased('o', columns.operator_profile))
    .select(({ fn }) => [
      'c.name as country_en',
      'c.name_ro as country_ro',
      'y.name as county_name',
      fn<string>('operator_today', []).as('today'),
    ])
    .executeTakeFirst()
  if (!found) return undefined
  return {
    seller: z.parse(seller, { ...found, name: found.legal_name, city: cityOf(found) }),
    destination: found.oss_registered,
    threshold: found.oss_threshold,
    currency: found.base_currency,
    today: found.today,
    dueDays: found.due_days,
    proformaDays: found.proforma_days,
  }
}

/** The names of possibly missing fields in refusals. */
const fields = {
  company_name: { en: 'The name of the company', ro: 'numele companiei' },
  address1: { en: 'The address', ro: 'adresa' },
  city: { en: 'The city', ro: 'localitatea' },
  zip_code: { en: 'The post code', ro: 'codul poștal' },
  country_id: { en: 'The country', ro: 'țara' },
  county_id: { en: 'The county', ro: 'județul' },
}

const at = (field: string) => ({ source: { pointer: `/data/attributes/${field}` } })

const missingField = (field: keyof typeof fields): Problem =>
  refuse('billing_info_incomplete', { field: fields[field] }, at(field))

const gapsOf = (found: readonly BillingGap[]): Problem[] =>
  found.map((gap) =>
    gap === 'sector' ? refuse('billing_sector_invalid', {}, at('city')) : missingField(gap),
  )

const isBlank = (field: string) => sql`coalesce(${sql.ref(`e.${field}`)}, '') !~ '\\S'`
// Romanian documents state the county, and in Bucharest the sector as the city (BR-RO-100, BR-RO-110).
const isNoSector = sql`y.code = 'RO-B' and e.city ~ '\\S'
  and upper(regexp_replace(e.city, '\\s', '', 'g')) !~ '^SECTOR[1-6]$'`

/**
 * SQL: the fields of the billing details that a document still needs; stricter than the form. Uses `e` of
 * `client_entities` or `former_billing_details`, `n` of its country and `y` of its county.
 */
export const billingGaps = sql<BillingGap[]>`array_remove(array[
  case when e.account_type = ${sql.lit(companyAccount)} and ${isBlank('company_name')} then 'company_name' end,
  case when ${isBlank('address1')} then 'address1' end,
  case when ${isBlank('city')} then 'city' end,
  case when e.zip_code is null then 'zip_code' end,
  case when n.id is null then 'country_id' end,
  case when n.code = 'RO' and y.id is null then 'county_id' end,
  case when ${isNoSector} then 'sector' end], null)`

/** The buyer's part of a document: details and language. */
export type Billed = {
  readonly buyer: Buyer
  /** ISO 4217; the currency of the client's ledger. */
  readonly currency: string
  readonly locale: 'en' | 'ro'
  readonly poNumber: string | null
}

/** A buyer of now, with their terms: when invoices are due after their day; null: as the operator's others. */
export type BilledNow = Billed & { readonly dueDays: number | null }

// A person's documents have none, whatever was saved while the account was a company's.
const noIdentifiers = { vat_number: null, registration_number: null, commerce_code: null }

type NamedDetails = Place & {
  readonly account_type: number
  readonly company_name: string | null
  readonly vat_number: string | null
  readonly first_name: string
  readonly last_name: string
}

/** The buyer by billing details, with the client's own name and the codes and names of the place. */
export function buyerFrom(found: NamedDetails): Buyer {
  const company = found.account_type === companyAccount
  const name = company ? found.company_name : `${found.first_name} ${found.last_name}`
  return z.parse(buyer, {
    ...found,
    ...(company ? {} : noIdentifiers),
    company,
    name,
    city: cityOf(found),
  })
}

/** The codes and names of a place: `n` of its country, `y` of its county. */
export const placeColumns = [
  'n.code as country',
  'n.name as country_en',
  'n.name_ro as country_ro',
  'y.code as county_code',
  'y.name as county_name',
] as const

/** Reads the buyer. Throws `billing_info_incomplete` for each missing field, and `billing_sector_invalid`. */
export async function billedOf(tx: Database, clientId: number): Promise<BilledNow> {
  const found = await clientsWithLanguage(tx)
    .innerJoin('client_entities as e', 'e.client_id', 'c.id')
    .innerJoin('currencies as m', 'm.id', 'c.currency_id')
    .leftJoin('countries as n', 'n.id', 'e.country_id')
    .leftJoin('counties as y', 'y.id', 'e.county_id')
    .select(aliased('e', columns.client_entities))
    .select([
      'c.first_name',
      'c.last_name',
      'c.email',
      'c.due_days',
      'm.code as currency',
      'l.code as language',
      ...placeColumns,
      billingGaps.as('gaps'),
    ])
    .where('c.id', '=', clientId)
    .executeTakeFirst()
  if (!found) throw refuse('not_found', { type: 'clients' })
  const faults = gapsOf(found.gaps)
  if (faults.length > 0) throw new Problems(faults)
  return {
    buyer: buyerFrom(found),
    currency: found.currency,
    locale: found.language === 'ro' ? 'ro' : 'en',
    poNumber: found.po_number,
    dueDays: found.due_days,
  }
}

/** The day on which an invoice of today is due: by the terms of its buyer, else by those of the operator. */
export const dueDateOf = ({ today, dueDays }: Operator, billed: BilledNow): string =>
  addDays(today, billed.dueDays ?? dueDays)

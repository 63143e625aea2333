import { companyAccount } from '@portico/contract/rules/billing-complete.ts'
import * as z from 'zod/mini'
import { type Buyer, buyer, type Seller, seller } from '#money/invoices/documents/document.ts'
import { aliased } from '#platform/db/aliased.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { type Problem, Problems, refuse } from '#platform/errors/problem.ts'

/** The operator as it stands, with what it decided about documents. */
export type Operator = {
  readonly seller: Seller
  readonly destination: boolean
  /** What others in the EU may buy before their own rates count; exact, in `currency`. */
  readonly threshold: string
  /** What VAT is declared in. */
  readonly currency: string
  /** The day that it is there, by the business clock. */
  readonly today: string
  readonly dueDays: number
  readonly proformaDays: number
}

/** Reads the operator. Throws `documents_need_operator` while nobody has said who that is. */
export async function operatorOf(tx: Database): Promise<Operator> {
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
  if (!found) throw refuse('documents_need_operator')
  return {
    seller: { ...z.parse(seller, { ...found, name: found.legal_name }) },
    destination: found.oss_registered,
    threshold: found.oss_threshold,
    currency: found.base_currency,
    today: found.today,
    dueDays: found.due_days,
    proformaDays: found.proforma_days,
  }
}

/** What may be missing, as a refusal names it. */
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

const sector = /^SECTOR[1-6]$/

/** What is missing for a document, by the field of the billing details; stricter than what a form asks for. */
function missing(
  entity: {
    readonly [field in 'address1' | 'city' | 'zip_code' | 'company_name' | 'country' | 'county_code']:
      | string
      | null
  } & { readonly account_type: number },
): Problem[] {
  const blank = (field: 'address1' | 'city' | 'zip_code' | 'company_name') =>
    (entity[field] ?? '').trim() === ''
  const faults: Problem[] = []
  if (entity.account_type === companyAccount && blank('company_name'))
    faults.push(missingField('company_name'))
  if (blank('address1')) faults.push(missingField('address1'))
  if (blank('city')) faults.push(missingField('city'))
  if (entity.zip_code === null) faults.push(missingField('zip_code'))
  if (entity.country === null) faults.push(missingField('country_id'))
  // Romanian documents name the county, and in Bucharest the sector as the city (BR-RO-100, BR-RO-110).
  if (entity.country === 'RO' && entity.county_code === null) faults.push(missingField('county_id'))
  if (
    entity.county_code === 'RO-B' &&
    !blank('city') &&
    !sector.test((entity.city ?? '').replace(/\s/g, '').toUpperCase())
  )
    faults.push(refuse('billing_sector_invalid', {}, at('city')))
  return faults
}

/** What a document for a client begins with: who buys, and how they are written to. */
export type Billed = {
  readonly buyer: Buyer
  /** ISO 4217; that of the client's books. */
  readonly currency: string
  readonly locale: 'en' | 'ro'
  readonly poNumber: string | null
}

/** Reads who buys. Throws `billing_info_incomplete` for each field that a document needs and that is not there, and `billing_sector_invalid`. */
export async function billedOf(tx: Database, clientId: number): Promise<Billed> {
  const found = await tx
    .selectFrom('clients as c')
    .innerJoin('client_entities as e', 'e.client_id', 'c.id')
    .innerJoin('currencies as m', 'm.id', 'c.currency_id')
    .innerJoin('languages as l', 'l.id', 'c.language_id')
    .leftJoin('countries as n', 'n.id', 'e.country_id')
    .leftJoin('counties as y', 'y.id', 'e.county_id')
    .select(aliased('e', columns.client_entities))
    .select([
      'c.first_name',
      'c.last_name',
      'c.email',
      'm.code as currency',
      'l.code as language',
      'n.code as country',
      'n.name as country_en',
      'n.name_ro as country_ro',
      'y.code as county_code',
      'y.name as county_name',
    ])
    .where('c.id', '=', clientId)
    .executeTakeFirst()
  if (!found) throw refuse('not_found', { type: 'clients' })
  const faults = missing(found)
  if (faults.length > 0) throw new Problems(faults)
  const company = found.account_type === companyAccount
  const city = found.county_code === 'RO-B' ? found.city?.replace(/\s/g, '').toUpperCase() : found.city
  const name = company ? found.company_name : `${found.first_name} ${found.last_name}`
  return {
    buyer: z.parse(buyer, { ...found, company, name, city }),
    currency: found.currency,
    locale: found.language === 'ro' ? 'ro' : 'en',
    poNumber: found.po_number,
  }
}

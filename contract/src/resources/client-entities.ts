import * as z from 'zod/mini'
import { idParameter, integerId, line, stamps } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'

/** 1: a company; 2: a person (seed, section 3). */
export const accountType = z.union([z.literal(1), z.literal(2)])

export const clientEntities = resource('client-entities', {
  description: 'Who is billed: the company or person behind an account, with the address for invoices.',
  attributes: {
    client_id: integerId,
    company_name: z.nullable(line(200)),
    company_url: z.nullable(line(200)),
    account_type: accountType,
    phone_number: z.nullable(line(25)),
    address1: z.nullable(line(150)),
    address2: z.nullable(line(100)),
    city: z.nullable(line(50)),
    state: z.nullable(line(80)),
    zip_code: z.nullable(line(20)),
    country_id: z.nullable(integerId),
    county_id: z.nullable(integerId),
    vat_number: z.nullable(line(20)),
    commerce_code: z.nullable(line(40)),
    po_number: z.nullable(line(200)),
    /** Several addresses, separated by commas. */
    billing_emails: z.nullable(line(1000)),
    ...stamps,
  },
  relationships: {
    client: toOne('clients'),
    country: toOne('countries', { nullable: true }),
    county: toOne('counties', { nullable: true }),
  },
  update: [
    'company_name',
    'company_url',
    'account_type',
    'phone_number',
    'address1',
    'address2',
    'city',
    'state',
    'zip_code',
    'country_id',
    'county_id',
    'vat_number',
    'commerce_code',
    'po_number',
    'billing_emails',
  ],
  filters: { client_id: idParameter },
  sorts: ['createdAt'],
})

import * as z from 'zod/mini'
import { idParameter, integerId, line, stamps } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'

/** 1: a company; 2: a person (seed, section 3). */
export const accountType = z.union([z.literal(1), z.literal(2)])

const mostBillingEmails = 10
const email = z.email()

const addresses = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

/** Several addresses, separated by commas; kept as `a@x.test, b@x.test`. An empty string is none. */
export const billingEmails = line(1000).check(
  z.overwrite((text) => addresses(text).join(', ')),
  z.refine((text) => addresses(text).length <= mostBillingEmails, `At most ${mostBillingEmails} addresses`),
  z.refine(
    (text) => addresses(text).every((one) => z.safeParse(email, one).success),
    'Not a list of valid e-mail addresses',
  ),
)

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
    billing_emails: z.nullable(billingEmails),
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

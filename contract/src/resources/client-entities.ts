import * as z from 'zod/mini'
import { idParameter, integerId, line, stamps } from '../fields.ts'
import { action, resource, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

/** 1: a company; 2: a person. */
export const accountType = z.union([z.literal(1), z.literal(2)])

const mostBillingEmails = 10
const email = z.email()

const addresses = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

/** Several addresses, separated by commas; stored as `a@x.test, b@x.test`. An empty string means none. */
export const billingEmails = line(1000).check(
  z.overwrite((text) => addresses(text).join(', ')),
  z.refine(
    (text) => addresses(text).length <= mostBillingEmails,
    fault('addresses_most', { most: mostBillingEmails }),
  ),
  z.refine(
    (text) => addresses(text).every((one) => z.safeParse(email, one).success),
    fault('emails_invalid'),
  ),
)

export const clientEntities = resource('client-entities', {
  description: 'The billing details of an account: the company or person, with the address for invoices.',
  attributes: {
    client_id: integerId,
    company_name: z.nullable(line(200)),
    company_url: z.nullable(line(200)),
    account_type: accountType,
    /**
     * A valid number in the international form, with an optional extension; an invalid one from before this
     * rule may stay.
     */
    phone_number: z.nullable(line(25)),
    address1: z.nullable(line(150)),
    address2: z.nullable(line(100)),
    city: z.nullable(line(50)),
    state: z.nullable(line(80)),
    zip_code: z.nullable(line(20)),
    country_id: z.nullable(integerId),
    county_id: z.nullable(integerId),
    /** In the tax office's form. */
    vat_number: z.nullable(line(20)),
    /** The VAT number as it was typed. */
    vat_number_typed: z.nullable(line(20)),
    /** The tax number of a company that is not registered for VAT, in Romania its CUI. */
    registration_number: z.nullable(line(20)),
    commerce_code: z.nullable(line(40)),
    po_number: z.nullable(line(200)),
    billing_emails: z.nullable(billingEmails),
    /** Whether letters about invoices attach them: the PDF and, for companies, the electronic invoice. */
    attach_invoices: z.boolean(),
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
    'registration_number',
    'commerce_code',
    'po_number',
    'billing_emails',
    'attach_invoices',
  ],
  filters: { client_id: idParameter },
  sorts: ['createdAt'],
  actions: {
    lookupCompany: action({
      method: 'GET',
      on: 'type',
      description:
        'The tax offices’ data of the company with a VAT number, to fill in a form; nothing is saved. 404 when there is none, 503 while its country’s office does not answer.',
      input: z.object({
        country_id: integerId,
        vat_number: line(20, { required: fault('vat_number_required') }),
      }),
      output: z.object({
        vat_number: z.string(),
        /** Null where the country's tax office does not publish it. */
        company_name: z.nullable(z.string()),
        address1: z.nullable(z.string()),
        city: z.nullable(z.string()),
        zip_code: z.nullable(z.string()),
      }),
    }),
  },
})

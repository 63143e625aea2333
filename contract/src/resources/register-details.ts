import * as z from 'zod/mini'
import { idParameter, integerId, line, moment, phoneNumber, stamps } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { accountType } from './client-entities.ts'

export const registerDetails = resource('register-details', {
  description:
    'The details and consents of a person’s registration, kept as they were then. They also fill in the account and its billing details, and complete a registration with Google.',
  attributes: {
    client_id: integerId,
    first_name: line(80, { required: fault('first_name_required') }),
    last_name: line(80, { required: fault('last_name_required') }),
    account_type: accountType,
    /** Required for a company. */
    company_name: z.nullable(line(200, { required: fault('company_name_required') })),
    vat_number: z.nullable(line(20)),
    /** The tax number of a company that is not registered for VAT, in Romania its CUI. */
    registration_number: z.nullable(line(20)),
    commerce_code: z.nullable(line(40)),
    phone_number: z.nullable(phoneNumber),
    address1: z.nullable(line(150)),
    address2: z.nullable(line(100)),
    city: z.nullable(line(50)),
    state: z.nullable(line(80)),
    zip_code: z.nullable(line(20)),
    country_id: z.nullable(integerId),
    /** A county of the country; null where it has none. */
    county_id: z.nullable(integerId),
    /** The displayed version of terms and privacy policy; sending the details accepts them. */
    terms_version: line(20, { required: fault('terms_not_accepted') }),
    /** By the server's clock. */
    terms_accepted_at: moment,
    privacy_accepted_at: moment,
    marketing_consent: z.boolean(),
    /** The source of the registration. */
    source: z.enum(['email', 'google', 'invitation']),
    ...stamps,
  },
  relationships: {
    client: toOne('clients'),
    country: toOne('countries', { nullable: true }),
    county: toOne('counties', { nullable: true }),
  },
  create: [
    'first_name',
    'last_name',
    'account_type',
    'company_name',
    'vat_number',
    'registration_number',
    'commerce_code',
    'phone_number',
    'address1',
    'address2',
    'city',
    'state',
    'zip_code',
    'country_id',
    'county_id',
    'terms_version',
    'marketing_consent',
    'source',
  ],
  // The server records when and from where they were accepted; values in the request are ignored.
  ignored: ['terms_accepted_at', 'privacy_accepted_at', 'ip'],
  filters: { client_id: idParameter },
  sorts: ['createdAt'],
})

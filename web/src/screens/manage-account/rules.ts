import { email as emailRule, newPassword } from '@portico/contract/calls/credentials.ts'
import {
  clientEntities,
  billingEmails as emailsOnTheWire,
} from '@portico/contract/resources/client-entities.ts'
import { clients } from '@portico/contract/resources/clients.ts'
import { memberName } from '@portico/contract/resources/desk-staff.ts'
import * as z from 'zod/mini'
import { filled } from '../../components/forms/blank.ts'

// The schemas of the forms of this page, loaded when the first field is focused.

const { first_name, last_name, company_url } = clients.attributes
export const personal = z.object({ first_name, last_name, company_url: filled(company_url) })

const of = clientEntities.attributes
export const billing = z.object({
  account_type: of.account_type,
  company_name: filled(of.company_name),
  vat_number: filled(of.vat_number),
  registration_number: filled(of.registration_number),
  commerce_code: filled(of.commerce_code),
  address1: filled(of.address1),
  address2: filled(of.address2),
  city: filled(of.city),
  state: filled(of.state),
  zip_code: filled(of.zip_code),
  country_id: of.country_id,
  county_id: of.county_id,
  phone_number: filled(of.phone_number),
  po_number: filled(of.po_number),
})
export type BillingValues = z.output<typeof billing>

// The API has one text; the form has a list, validated by the schema of that text.
export const billingEmails = z.object({
  billing_emails: z.array(z.string()).check((context) => {
    const checked = z.safeParse(emailsOnTheWire, context.value.join(', '))
    for (const { message } of checked.error?.issues ?? [])
      context.issues.push({ code: 'custom', message, input: context.value })
  }),
  attach_invoices: z.boolean(),
})

export const currency = z.object({ currency: z.string() })

export const staffName = z.object({ display_name: memberName })

export const email = z.object({ email: emailRule })

// The form decides whether the current password is required.
export const password = z.object({ current_password: z.string(), password: newPassword, retype: z.string() })

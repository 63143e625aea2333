import { requiredForBilling } from '@portico/contract/rules/billing-complete.ts'
import { list } from '../../../api/query.ts'
import type { Row } from '../../../api/rows.ts'
import { m } from '../../../texts/compiled/messages.js'

export type Entity = Row<'client-entities'>

/** The person's own billing profile: without a filter the list has only that one. */
export const entityQuery = list('client-entities')

/** The fields that an invoice needs, by their labels in the form. */
export const billingNames = {
  account_type: m.account_type,
  company_name: m.company_name,
  address1: m.address,
  city: m.city,
  zip_code: m.zip_code,
  country_id: m.country,
}

/** The missing fields: null is missing, an empty string is not. */
export const missingFor = (entity: Entity) =>
  requiredForBilling(entity.account_type).filter((field) => entity[field] === null)

import { requiredForBilling } from '@portico/contract/rules/billing-complete.ts'
import { list } from '../../../api/query.ts'
import type { Row } from '../../../api/rows.ts'
import { m } from '../../../texts/compiled/messages.js'

export type Entity = Row<'client-entities'>

/** The own billing profile: without a filter a list shows the own account, which has one. */
export const entityQuery = list('client-entities')

/** The names of the fields that an invoice may be missing, as the form calls them. */
export const billingNames = {
  account_type: m.account_type,
  company_name: m.company_name,
  address1: m.address,
  city: m.city,
  zip_code: m.zip_code,
  country_id: m.country,
}

/** What the seed's rule (section 5) finds missing: null does, an empty text passes. */
export const missingFor = (entity: Entity) =>
  requiredForBilling(entity.account_type).filter((field) => entity[field] === null)

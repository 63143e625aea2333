import { requiredForBilling } from '@portico/contract/rules/billing-complete.ts'
import { list } from '../../../api/query.ts'
import type { Row } from '../../../api/rows.ts'

export type Entity = Row<'client-entities'>

/** The person's own billing profile: without a filter the list has only that one. */
export const entityQuery = list('client-entities')

/** The missing fields: null is missing, an empty string is not. */
export const missingFor = (entity: Entity) =>
  requiredForBilling(entity.account_type).filter((field) => entity[field] === null)

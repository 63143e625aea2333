import * as z from 'zod/mini'
import { day, idParameter, integerId, money } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'

/** The UTC days of a price. */
export const validity = {
  /** Null: from the beginning. */
  valid_from: z.nullable(z.iso.date()),
  /** The first day on which it no longer counts; null: without end. */
  valid_to: z.nullable(z.iso.date()),
}

/** Filters of prices: `client_id` is the account that is charged by them, `on` a day on which they count. */
export const priceFilters = {
  client_id: idParameter,
  price_list_id: idParameter,
  plan_id: idParameter,
  on: day,
}

export const planPrices = resource('plan-prices', {
  description:
    'What a plan costs a month, net of VAT, in a price list from one day to another. A day is charged by the price of that day.',
  attributes: {
    price_list_id: integerId,
    plan_id: integerId,
    currency: z.string(),
    monthly: money,
    ...validity,
  },
  relationships: { priceList: toOne('price-lists'), plan: toOne('plans') },
  filters: priceFilters,
  sorts: ['valid_from', 'monthly'],
})

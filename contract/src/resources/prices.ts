import * as z from 'zod/mini'
import { integerId, money } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'
import { priceFilters, validity } from './plan-prices.ts'
import { meterCode } from './usages.ts'

export const prices = resource('prices', {
  description:
    'What a unit of a meter costs, net of VAT, in a price list from one day to another. A price with a plan counts for panels of that plan, before one without.',
  attributes: {
    price_list_id: integerId,
    plan_id: z.nullable(integerId),
    meter: meterCode,
    unit: z.string(),
    /** The kind of resource that it counts for; empty: any. */
    resource_kind: z.string(),
    currency: z.string(),
    /** Null: by tiers. */
    unit_price: z.nullable(money),
    /** How much of a UTC day costs nothing: with a plan once for each panel, without one for each resource. */
    included_per_day: z.number(),
    tiers: z.nullable(z.array(z.object({ up_to: z.optional(z.string()), unit_price: z.string() }))),
    ...validity,
  },
  relationships: { priceList: toOne('price-lists'), plan: toOne('plans', { nullable: true }) },
  filters: { ...priceFilters, meter: meterCode },
  sorts: ['valid_from', 'meter'],
})

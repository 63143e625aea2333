import * as z from 'zod/mini'
import { idParameter } from '../fields.ts'
import { resource, toMany } from '../jsonapi.ts'

export const currencyParameter = z.string().check(z.regex(/^[A-Z]{3}$/))

export const priceLists = resource('price-lists', {
  description:
    'Prices of one currency. An account is charged by its own list where that has a price, and by the default list of its currency otherwise; it reads both.',
  attributes: { code: z.string(), currency: z.string(), is_default: z.boolean() },
  relationships: { planPrices: toMany('plan-prices'), prices: toMany('prices') },
  /** `client_id`: the lists by which this account is charged. */
  filters: { client_id: idParameter, currency: currencyParameter },
  sorts: ['code', 'currency'],
})

import * as z from 'zod/mini'
import { countryCode, idParameter, integerId, money, stamps } from '../fields.ts'
import { action, resource, toMany } from '../jsonapi.ts'
import { vatTreatments } from '../rules/vat.ts'
import { currencyParameter } from './price-lists.ts'
import { meterCode } from './usages.ts'

export const planKind = z.enum(['web_hosting', 'server', 'cluster', 'other'])

/** Only offered plans can be chosen. Panels keep a plan that was retired. */
export const planState = z.enum(['draft', 'offered', 'retired'])

/** The resources that a plan may limit. */
export const planLimits = [
  'servers',
  'clusters',
  'domains',
  'mailboxes',
  'disk_gb',
  'traffic_gb_month',
] as const

const amount = z.nullable(z.int())

/** Null: no limit. */
const limits = z.object({
  servers: amount,
  clusters: amount,
  domains: amount,
  mailboxes: amount,
  disk_gb: amount,
  traffic_gb_month: amount,
})

export const planCode = z.string().check(z.minLength(1), z.maxLength(40))

export const vatRate = { treatment: z.enum(vatTreatments), country: z.string(), rate: z.number() }

/**
 * The price of a plan. Daily and hourly prices are those of this month, rounded; the monthly price is exact. Null if the
 * reader may not see it.
 */
const fee = { monthly: z.nullable(money), daily: z.nullable(money), hourly: z.nullable(money) }

export const missingSum = z.object({ missing: money, deposit: money })

/**
 * The sum that is missing to pay for the days ahead that the operator requires, without VAT, and the smallest deposit that
 * covers it. Null if nothing is missing, and for readers who may not know.
 */
export const lacks = z.nullable(missingSum)

/** The reasons why a panel cannot have the plan now, by the codes of refusals. */
export const obstacles = z.array(z.object({ code: z.string(), detail: z.string() }))

const offer = z.object({
  id: integerId,
  code: planCode,
  name_en: z.string(),
  name_ro: z.string(),
  description_en: z.string(),
  description_ro: z.string(),
  kind: planKind,
  needs_domain: z.boolean(),
  limits,
  /** Whether a hosting platform makes such panels at the moment. */
  available: z.boolean(),
  /** The regions of the plan. Empty: the platform chooses. If it has several, a new panel must name one. */
  regions: z.array(z.string()),
  ...fee,
  /** A month with the VAT of `vat`; null without it. */
  monthly_gross: z.nullable(money),
  /** The price that is announced next, with its first UTC day. */
  next: z.nullable(z.object({ monthly: money, from: z.iso.date() })),
  /** Meters that are charged by use, and the quantity included per day. `unit_price` is null for tiered prices. */
  meters: z.array(
    z.object({
      meter: meterCode,
      unit: z.string(),
      unit_price: z.nullable(money),
      included_per_day: z.number(),
    }),
  ),
})

export const plans = resource('plans', {
  description:
    'What a panel is: its kind and its limits, at a price a month. Readers see the plans that are offered and those of panels that they see; staff see all.',
  attributes: {
    /** As `plan_code` of panels has it. It never changes. */
    code: z.string(),
    name_en: z.string(),
    name_ro: z.string(),
    description_en: z.string(),
    description_ro: z.string(),
    kind: planKind,
    needs_domain: z.boolean(),
    state: planState,
    position: z.int(),
    limits,
    ...stamps,
  },
  relationships: { planPrices: toMany('plan-prices') },
  /** `client_id`: the plans of an account’s panels. */
  filters: {
    client_id: idParameter,
    code: planCode,
    kind: planKind,
    state: planState,
  },
  sorts: ['position', 'code'],
  actions: {
    offers: action({
      method: 'GET',
      on: 'type',
      open: true,
      personal: true,
      fresh: 60,
      description:
        'What can be bought, at what price, net of VAT. Without sign-in by the default prices of a currency; signed in by those of `client_id`, one’s own account unless it is given. A guest who may add panels and does not see the billing reads the default prices, or none where the account has prices of its own. `currency_not_sold` names those that are.',
      input: z.strictObject({
        currency: z.optional(currencyParameter),
        country: z.optional(countryCode),
        client_id: z.optional(integerId),
      }),
      output: z.object({
        currency: z.string(),
        /** Those that prices can be asked for in. */
        currencies: z.array(z.string()),
        /** Those whose VAT can be asked for. */
        countries: z.array(z.string()),
        /** That of a consumer in `country`; null where the country or its rate is not known. */
        vat: z.nullable(z.object(vatRate)),
        plans: z.array(offer),
      }),
    }),
    quote: action({
      method: 'GET',
      on: 'type',
      description:
        'What a panel of a plan would cost that is added now, how long the balance would last with it, and whether the balance suffices to add it. What a reader without access to the billing of the account may not know is null.',
      input: z.strictObject({ plan: planCode, client_id: z.optional(integerId) }),
      output: z.object({
        plan: planCode,
        currency: z.string(),
        ...fee,
        /** From this hour to the end of this UTC month. */
        rest_of_month: z.nullable(money),
        /** On the price of a month; null also while the rate is not known. */
        vat: z.nullable(z.object({ ...vatRate, amount: money, gross: money })),
        daily_use: z.nullable(z.object({ before: money, after: money })),
        exhaustion_date: z.nullable(
          z.object({ before: z.nullable(z.iso.date()), after: z.nullable(z.iso.date()) }),
        ),
        can: z.boolean(),
        obstacles,
        lacks,
      }),
    }),
  },
})

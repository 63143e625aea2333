import * as z from 'zod/mini'
import { day, idParameter, integerId, money, searchParameter, stamps } from '../fields.ts'
import { action, resource, toMany, toOne } from '../jsonapi.ts'

/** The progress of a day's usage: rated, charged to the balance, on a service bill, paid. */
export const usageStatus = z.enum(['open', 'charged', 'billed', 'paid'])

/** The code of a meter, as engines send it. */
export const meterCode = z.string().check(z.regex(/^[a-z0-9_]{1,40}$/))

/** A quantity with up to six decimals, in the unit of its meter; a JSON number for display only. */
const quantity = z.number()

/** The dimensions of a sum. */
export const usageGroup = z.enum(['day', 'month', 'project', 'panel', 'resource', 'meter'])

/** A month as `2026-11`. */
const month = z.string().check(z.regex(/^(?:19|20)\d{2}-(?:0[1-9]|1[0-2])$/))

/** The filters of places that lists, sums and explanations share. */
const places = {
  client_id: z.optional(integerId),
  project_id: z.optional(integerId),
  panel_id: z.optional(integerId),
  /** A resource, as in `resource_ref`: `server/104`. */
  resource: z.optional(z.string().check(z.minLength(1), z.maxLength(160))),
}

const named = z.object({ name_en: z.string(), name_ro: z.string() })

/**
 * Why two months differ: new and ended panels and resources, more or less use of others, changed prices, changed plans,
 * months of different lengths, and all smaller reasons together.
 */
export const differenceKind = z.enum(['new', 'ended', 'quantity', 'price', 'plan', 'days', 'others'])

/** The filters that lists, sums and exports share. `from` and `to` are UTC days, both included. */
const narrowing = {
  ...places,
  meter: z.optional(meterCode),
  from: z.optional(day),
  to: z.optional(day),
}

export const usages = resource('usages', {
  description:
    'The usage of one resource of a panel in one UTC day, rated by the price list of that day. Amounts are net of VAT.',
  attributes: {
    client_id: integerId,
    project_id: integerId,
    panel_id: integerId,
    /** The engine's reference of the resource, `server/104`; `panel` is the panel itself. */
    resource_ref: z.string(),
    /** Its last known name; null when the portal never had one. */
    resource_name: z.nullable(z.string()),
    usage_on: day,
    /** Its cost by the price list, and the part that the balance has paid. */
    rated_amount: money,
    charged_amount: money,
    currency: z.string(),
    status: usageStatus,
    /** The invoice of its month; null until that is issued. */
    service_bill_id: z.nullable(integerId),
    /** One of its meters has no price yet, so its cost is unknown and nothing is charged for that meter. */
    unpriced: z.boolean(),
    /** By meter: the quantity, the unit price (null: by tiers) and the amount. */
    lines: z.array(
      z.object({
        meter: meterCode,
        unit: z.string(),
        quantity,
        unit_price: z.nullable(money),
        amount: z.nullable(money),
      }),
    ),
    ...stamps,
  },
  relationships: { project: toOne('projects'), panel: toOne('panels'), notes: toMany('usage-notes') },
  filters: {
    client_id: idParameter,
    project_id: idParameter,
    panel_id: idParameter,
    resource: z.string().check(z.minLength(1), z.maxLength(160)),
    meter: meterCode,
    from: day,
    to: day,
    status: usageStatus,
    search: searchParameter,
  },
  sorts: ['usage_on', 'rated_amount', 'createdAt'],
  actions: {
    summary: action({
      method: 'GET',
      on: 'type',
      description:
        'Sums of usage, split by one or two dimensions: a chart is `["day", "resource"]`. At most 400 days and 5,000 rows; beyond that `usage_days_out_of_range` and `usage_rows_most`. With `top`, only so many of the last dimension have rows, those with the largest amounts in all; the rest are summed in rows with an empty key, and `others` says how many they are.',
      input: z.object({
        ...narrowing,
        group_by: z.array(usageGroup).check(z.minLength(1), z.maxLength(2)),
        top: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
      }),
      output: z.object({
        currency: z.string(),
        rows: z.array(
          z.object({
            /**
             * The key of the row, for the dimensions in `group_by`: a day, a month `2026-11`, or an id or
             * reference as text.
             */
            key: z.array(z.string()),
            /** The same for display: names of workspaces, panels and resources, units of meters. */
            label: z.array(z.string()),
            rated_amount: money,
            charged_amount: money,
            /** Only when split by meter, because a sum of different units means nothing. */
            quantity: z.nullable(quantity),
          }),
        ),
        totals: z.object({ rated_amount: money, charged_amount: money, unpriced: z.int() }),
        others: z.int(),
      }),
    }),
    explain: action({
      method: 'GET',
      on: 'type',
      description:
        'Why the usage of a month costs more or less than that of the month before. The present month is compared with the same days of the month before. A month that has not begun is `usage_month_ahead`.',
      input: z.object({ ...places, month: z.optional(month) }),
      output: z.object({
        currency: z.string(),
        /** The compared UTC days. */
        from: day,
        to: day,
        before_from: day,
        before_to: day,
        /** Their costs, rounded to cents; null if some are in another currency. */
        now: z.nullable(money),
        before: z.nullable(money),
        /** Null if there is nothing to compare: without earlier usage, or with usage in another currency. */
        difference: z.nullable(money),
        reason: z.nullable(z.enum(['first', 'currency'])),
        /** In cents, largest first; they add up to the difference. */
        parts: z.array(
          z.object({
            kind: differenceKind,
            amount: money,
            /** How many reasons `others` stands for; else 1. */
            count: z.int(),
            panel_id: z.nullable(integerId),
            panel: z.nullable(z.string()),
            /** As in `resource_ref`; null if the part is of the whole panel, or of all of them. */
            resource: z.nullable(z.string()),
            resource_name: z.nullable(z.string()),
            /** The first day of what is new, and the last day of what ended; null if it was used before, too. */
            since: z.nullable(day),
            /** The meter whose price changed. */
            meter: z.nullable(meterCode),
            /** The plan: the present one, and the one before it. */
            plan: z.nullable(named),
            plan_before: z.nullable(named),
          }),
        ),
      }),
    }),
  },
})

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

/** The filters that lists, sums and exports share. `from` and `to` are UTC days, both included. */
const narrowing = {
  client_id: z.optional(integerId),
  project_id: z.optional(integerId),
  panel_id: z.optional(integerId),
  /** A resource, as in `resource_ref`: `server/104`. */
  resource: z.optional(z.string().check(z.minLength(1), z.maxLength(160))),
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
        'Sums of usage, split by one or two dimensions: a chart is `["day", "resource"]`. At most 400 days and 5,000 rows; beyond that `usage_days_out_of_range` and `usage_rows_most`.',
      input: z.object({
        ...narrowing,
        group_by: z.array(usageGroup).check(z.minLength(1), z.maxLength(2)),
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
      }),
    }),
  },
})

import * as z from 'zod/mini'
import { day, idParameter, integerId, money, searchParameter, stamps } from '../fields.ts'
import { action, resource, toMany, toOne } from '../jsonapi.ts'

/** How far a day's use has come: rated, charged to the balance, on a service bill, paid. */
export const usageStatus = z.enum(['open', 'charged', 'billed', 'paid'])

/** A meter by its code, as engines send it. */
export const meterCode = z.string().check(z.regex(/^[a-z0-9_]{1,40}$/))

/** A quantity with up to six decimals, in the unit of its meter; a JSON number for reading only. */
const quantity = z.number()

/** What a sum can be split by. */
export const usageGroup = z.enum(['day', 'month', 'project', 'panel', 'resource', 'meter'])

/** What narrows lists, sums and exports alike. `from` and `to` are UTC days, both included. */
const narrowing = {
  client_id: z.optional(integerId),
  project_id: z.optional(integerId),
  panel_id: z.optional(integerId),
  /** As `resource_ref` has it: `server/104`. */
  resource: z.optional(z.string().check(z.minLength(1), z.maxLength(160))),
  meter: z.optional(meterCode),
  from: z.optional(day),
  to: z.optional(day),
}

export const usages = resource('usages', {
  description:
    'What one resource of a panel used in one UTC day, rated by the price list of that day. Amounts are net of VAT.',
  attributes: {
    client_id: integerId,
    project_id: integerId,
    panel_id: integerId,
    /** The resource as its engine names it, `server/104`; `panel` is the panel itself. */
    resource_ref: z.string(),
    /** Its name when it was last seen; null when the portal never saw it. */
    resource_name: z.nullable(z.string()),
    usage_on: day,
    /** What it costs by the price list, and how much of that the balance has borne. */
    rated_amount: money,
    charged_amount: money,
    currency: z.string(),
    status: usageStatus,
    /** The invoice of its month; null until that is issued. */
    service_bill_id: z.nullable(integerId),
    /** A meter of it has no price yet: what it costs is not known, and nothing is charged for that meter. */
    unpriced: z.boolean(),
    /** By meter: how much, at what price for a unit (null: by tiers), which is how much money. */
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
        'Sums of use, split by one or two things: a chart is `["day", "resource"]`. At most 400 days and 5 000 rows; beyond that `usage_days_out_of_range` and `usage_rows_most`.',
      input: z.object({
        ...narrowing,
        group_by: z.array(usageGroup).check(z.minLength(1), z.maxLength(2)),
      }),
      output: z.object({
        currency: z.string(),
        rows: z.array(
          z.object({
            /** What the row is of, by the names of `group_by`: a day, a month `2026-11`, or an id or reference as text. */
            key: z.array(z.string()),
            /** The same for people: names of workspaces, panels and resources, units of meters. */
            label: z.array(z.string()),
            rated_amount: money,
            charged_amount: money,
            /** Only when split by meter: sums of different units mean nothing. */
            quantity: z.nullable(quantity),
          }),
        ),
        totals: z.object({ rated_amount: money, charged_amount: money, unpriced: z.int() }),
      }),
    }),
  },
})

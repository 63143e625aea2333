import * as z from 'zod/mini'
import { day, idParameter, integerId, money, stamps } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

/** The kind of movement. Not called `type`, which JSON:API reserves for the type of the resource. */
export const billingLogKind = z.enum([
  'deposit',
  'usage',
  'promo',
  'refund',
  'adjustment',
  'service_bill',
  'write_off',
])

/** A month, as `2026-11`. */
const period = z
  .string()
  .check(z.regex(/^[0-9]{4}-(0[1-9]|1[0-2])$/, fault('month_invalid', { example: '2026-11' })))

export const billingLogs = resource('billing-logs', {
  description:
    'The history of the balance, in readable rows: one for each deposit, refund and so on, and one per month and workspace for usage. It is derived from the ledger and can be rebuilt from it.',
  attributes: {
    client_id: integerId,
    period,
    /**
     * The sentence that describes the row, with its parameters; the browser app has the sentences in both
     * languages.
     */
    description_key: z.string(),
    params: z.record(z.string(), z.union([z.string(), z.number()])),
    /** The same sentence in English, for clients without texts. */
    description: z.string(),
    /** What staff wrote about it for the client. */
    message: z.nullable(z.string()),
    /** The UTC day of its last entry. */
    date: z.iso.date(),
    /** The amount added to the balance, credit included, and the amount taken from it; net of VAT. */
    deposit: z.nullable(money),
    payment: z.nullable(money),
    kind: billingLogKind,
    /** Balance and credit together after this row. */
    balance_after: money,
    project_id: z.nullable(integerId),
    /** The document of the row: the invoice of a deposit, the paid bill, or the credit note. */
    invoice: z.nullable(z.object({ id: integerId, full_number: z.string() })),
    ...stamps,
  },
  relationships: { project: toOne('projects', { nullable: true }) },
  filters: {
    client_id: idParameter,
    kind: billingLogKind,
    period,
    from: day,
    to: day,
    project_id: idParameter,
  },
  sorts: ['date', 'createdAt'],
})

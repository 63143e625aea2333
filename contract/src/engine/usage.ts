import * as z from 'zod/mini'
import { fault } from '../refusals/fields.ts'
import { moment } from './wire.ts'

// Usage that an engine reports to the portal.

/** The maximum number of usage events in one message, and its maximum size in bytes. */
export const mostUsageEvents = 5000
export const mostUsageBytes = 2_097_152

/** A resource in a usage event: its kind and id, or the whole panel. */
const usageResource = z
  .string()
  .check(
    z.regex(/^(?:panel|[a-z_]{1,20}\/[A-Za-z0-9][A-Za-z0-9_.~:@-]{0,127})$/, fault('usage_resource_invalid')),
  )

/**
 * A quantity as a decimal string, which no parser can round: up to ten digits before the point, at most 10^9,
 * and six after it. A negative quantity corrects an earlier event that reported too much.
 */
export const usageQuantity = z
  .string()
  .check(z.regex(/^-?(?:\d{1,9}(?:\.\d{1,6})?|10{9}(?:\.0{1,6})?)$/, fault('usage_quantity_invalid')))

/**
 * The usage of one resource in one interval, as a CloudEvent 1.0. Meters are summed over intervals, so a
 * gauge is sent as a product (GB × hours). The interval begins at `start`, ends before `end`, and lies within
 * one UTC day.
 */
export const usageEvent = z.object({
  specversion: z.literal('1.0'),
  /** The same event always has the same id; the portal deduplicates by it. */
  id: z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/, fault('usage_id_invalid'))),
  source: z.string().check(z.minLength(1), z.maxLength(200)),
  type: z.literal('usage.v1'),
  /** The portal's id of the panel. */
  subject: z.string().check(z.regex(/^panel\/[1-9][0-9]{0,14}$/, fault('usage_subject_invalid'))),
  time: z.optional(moment),
  data: z.object({
    resource: usageResource,
    meter: z.string().check(z.regex(/^[a-z0-9_]{1,40}$/)),
    start: moment,
    end: moment,
    quantity: usageQuantity,
  }),
})

/** POST /engine/v1/usage: each event is validated separately. */
export const usageEvents = z.array(z.unknown()).check(z.minLength(1), z.maxLength(mostUsageEvents))

/** Why a usage event was rejected. */
export const usageRefusal = z.enum([
  'invalid',
  'invalid_quantity',
  'invalid_interval',
  'crosses_midnight',
  'too_old',
  'too_new',
  'unknown_panel',
  'unknown_meter',
])

/** The result of a message with usage; `id` is null where the id of the event cannot be read. */
export const usageReceipt = z.object({
  accepted: z.int(),
  duplicates: z.int(),
  rejected: z.array(
    z.object({ index: z.int(), id: z.nullable(z.string()), code: usageRefusal, detail: z.string() }),
  ),
})

/**
 * POST /engine/v1/watermark, and its response: all usage that ends by `through` was sent. It never moves
 * back.
 */
export const watermark = z.object({ through: moment })

export type UsageEvent = z.output<typeof usageEvent>
export type UsageReceipt = z.output<typeof usageReceipt>
export type UsageRefusal = z.output<typeof usageRefusal>

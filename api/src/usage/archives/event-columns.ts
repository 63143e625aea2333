import type { SchemaElement } from 'hyparquet'

const required = { repetition_type: 'REQUIRED' } as const
const moment = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MICROS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  ...required,
} as const
const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', ...required } as const
const id = { type: 'INT64', ...required } as const

/** The columns of an archive, in the types of Parquet. The key of an event is of no use once its day is closed. */
export const eventColumns = [
  { name: 'occurred_on', type: 'INT32', converted_type: 'DATE', ...required },
  { name: 'panel_engine_id', ...id },
  { name: 'panel_id', ...id },
  { name: 'resource_ref', ...text },
  { name: 'meter_id', type: 'INT32', ...required },
  { name: 'meter', ...text },
  { name: 'period_start', ...moment },
  { name: 'period_end', ...moment },
  // An engine reports at most 10^9 with six digits after the point.
  { name: 'quantity', type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 6, ...required },
  { name: 'received_at', ...moment },
] as const satisfies SchemaElement[]

/** One row in the order of the columns: days, ids, microseconds and millionths, all of them whole, and texts. */
export type EventRow = readonly (number | string)[]

/** The requests to the thread that writes a file. */
export type Order = { readonly rows: readonly EventRow[] } | 'end'

/** Its answer: nothing for rows, and this at the end. */
export type Written = {
  readonly rows: number
  /** Of all quantities, in millionths. */
  readonly millionths: bigint
  readonly sha256: string
}

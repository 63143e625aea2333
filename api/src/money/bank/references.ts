import { sql } from 'kysely'
import type { RowOf } from '#platform/context.ts'

/**
 * SQL: the bank's reference of a line; null where it gave none. `reference` is a name of the row alone since lines are found by what
 * they say, and was the bank's or a fingerprint before.
 */
export const bankReferenceOf = (line: 'l' | 'bank_lines') =>
  sql<
    string | null
  >`coalesce(${sql.ref(`${line}.bank_reference`)}, case when ${sql.ref(`${line}.reference`)} not like '#%'
    then ${sql.ref(`${line}.reference`)} end)`

export const bankReference = bankReferenceOf('l')

/** SQL: a name that no other line has. */
export const ownName = sql<string>`'#' || gen_random_uuid()`

/** The same of a row. */
export function referenceOf({
  reference,
  bank_reference,
}: Pick<RowOf<'bank_lines'>, 'reference' | 'bank_reference'>) {
  return bank_reference ?? (reference.startsWith('#') ? null : reference)
}

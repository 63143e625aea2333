import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/** The pattern of texts that contain another; % and _ are literal. */
const patternOf = (text: Expression<string>) =>
  // A query of its own is evaluated once, and not for each row.
  sql`(select '%' || replace(replace(replace(search_fold(${text}), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%')`

/**
 * The condition that a text contains another, without regard to case and diacritics. Indexes are on `search_fold` of the same
 * expressions.
 */
export const likeFolded = (value: RawBuilder<unknown>, text: Expression<string>) =>
  sql<SqlBool>`search_fold(${value}) like ${patternOf(text)}`

/** The same of a column that holds what was folded, with an index of its parts. */
export function columnLikeFolded(column: string, text: Expression<string>) {
  const like = sql<SqlBool>`${sql.ref(column)} like ${patternOf(text)}`
  // Twice: the planner then expects few rows and reads the index of parts. It would read all rows in the order of the list
  // instead, until a page is full, which a rare word never fills.
  return sql<SqlBool>`(${like} and ${like})`
}

import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * The condition that a text contains another, without regard to case and diacritics; % and _ are literal. Indexes are on
 * `search_fold` of the same expressions.
 */
export const likeFolded = (value: RawBuilder<unknown>, text: Expression<string>) =>
  sql<SqlBool>`search_fold(${value}) like
    '%' || replace(replace(replace(search_fold(${text}), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'`

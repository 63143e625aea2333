import { type Expression, type SqlBool, sql } from 'kysely'

/** The condition of a search box: the value contains the text, ignoring case; % and _ are literal. */
export const contains = (value: Expression<string | null>, text: Expression<string>): Expression<SqlBool> =>
  sql<SqlBool>`position(lower(${text}) in lower(${value})) > 0`

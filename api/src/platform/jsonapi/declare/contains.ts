import { type Expression, type SqlBool, sql } from 'kysely'

/** What a search box means by finding: the text stands somewhere in the value, whatever the case; % and _ are themselves. */
export const contains = (value: Expression<string | null>, text: Expression<string>): Expression<SqlBool> =>
  sql<SqlBool>`position(lower(${text}) in lower(${value})) > 0`

import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * The condition that a text contains another, without regard to case and diacritics; % and _ are literal. The indexes of
 * migration 0072 are on the same expressions.
 */
export const likeFolded = (value: RawBuilder<unknown>, text: Expression<string>) =>
  sql<SqlBool>`search_fold(${value}) like
    '%' || replace(replace(replace(search_fold(${text}), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'`

/** The condition that a row of clients is no member of staff. */
export const notStaff = (clients: string) =>
  sql<SqlBool>`not exists (select from admins a where a.auth_id = ${sql.ref(`${clients}.auth_id`)})`

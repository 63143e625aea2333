import { type Expression, type SqlBool, sql } from 'kysely'
import { columnLikeFolded } from '#platform/jsonapi/declare/like-folded.ts'
import { inUse } from '#reference/client-status.ts'

/** SQL: a row of clients is in a trial that ends within three days. */
export const trialEnds = (clients: string) => {
  const of = (column: string) => sql.ref(`${clients}.${column}`)
  return sql<SqlBool>`(${of('trial_ended_on')} is null and ${of('trial_ends_at')} > (select clock_now())
    and ${of('trial_ends_at')} < (select clock_now()) + interval '3 days' and ${of('status')} in (${sql.join(inUse.map((status) => sql.lit(status)))}))`
}

/** The condition that a row of clients has a text in its name, address, company or VAT number, which people type with spaces. */
export const isFound = (clients: string, text: Expression<string>) =>
  columnLikeFolded(
    `${clients}.search_text`,
    sql`case when replace(${text}, ' ', '') ~* '^[a-z]{0,3}[0-9]{2,}$' then replace(${text}, ' ', '') else ${text} end`,
  )

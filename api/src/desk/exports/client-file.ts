import { type RawBuilder, sql } from 'kysely'
import { type ClientFilter, isListed } from '#desk/client-conditions.ts'
import { builder, type Statement } from '#platform/db/pool.ts'

const columns: Readonly<Record<string, RawBuilder<unknown>>> = {
  id: sql`clients.id`,
  first_name: sql`clients.first_name`,
  last_name: sql`clients.last_name`,
  email: sql`clients.email`,
  company: sql`e.company_name`,
  vat_number: sql`e.vat_number`,
  country: sql`o.code`,
  language: sql`l.code`,
  currency: sql`u.code`,
  status: sql`case clients.status when 0 then 'blocked' when 1 then 'active' when 2 then 'never_signed_in'
    when 3 then 'closing' else 'closed' end`,
  balance: sql`round(b.account_balance, u.decimals)`,
  credit: sql`round(b.credit_balance, u.decimals)`,
  owed_since: sql`b.negative_since`,
  panels: sql`(select count(*) from panels p where p.client_id = clients.id and p.deleted_at is null)`,
  since: sql`clients.created_at`,
}

/** The headings of a file of clients. */
export const clientHeadings = Object.keys(columns)

/** The clients of a filtered list, as the lines of a file. */
export function clientLines(filter: ClientFilter): Statement {
  const cells = Object.entries(columns).map(([heading, of]) => sql`${of} as ${sql.ref(heading)}`)
  const { sql: text, parameters } = sql`select ${sql.join(cells)} from clients
    join currencies u on u.id = clients.currency_id join languages l on l.id = clients.language_id
    left join account_balances b on b.client_id = clients.id
    left join client_entities e on e.client_id = clients.id left join countries o on o.id = e.country_id
    where ${isListed(filter)} order by clients.id`.compile(builder)
  return { sql: text, values: parameters }
}

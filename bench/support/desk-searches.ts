import { withClient } from '../../api/src/platform/db/client.ts'
import type { Connection } from '../../api/src/platform/db/connection.ts'

/** What staff type, of one random client: names most often, whole and in part, then what stands in a letter or a call. */
const typed = [
  `first_name || ' ' || last_name`,
  'last_name',
  `left(last_name, 4)`,
  `lower(left(last_name, 3))`,
  'email',
  `split_part(email::text, '@', 1)`,
  `(select company_name from client_entities e where e.client_id = clients.id)`,
  `(select split_part(company_name, ' ', 1) from client_entities e where e.client_id = clients.id)`,
  `(select vat_number from client_entities e where e.client_id = clients.id)`,
  `(select left(domain, 12) from panels p where p.client_id = clients.id)`,
  `(select name from panels p where p.client_id = clients.id)`,
  `(select spec ->> 'ipv4' from panel_resources r join panels p on p.id = r.panel_id
    where p.client_id = clients.id and r.kind = 'server')`,
  `(select full_number from invoices i where i.client_id = clients.id limit 1)`,
  `(select provider_ref from payments p where p.client_id = clients.id limit 1)`,
  `(select last4 from cards k where k.client_id = clients.id)`,
  `(select number from tickets t where t.client_id = clients.id limit 1)`,
  // Nobody is found, and everybody.
  `'nobody ' || id`,
  `split_part(email::text, '@', 2)`,
]

/** So many different searches, each kind as often as the others. */
export async function deskSearches(connection: Connection, many: number): Promise<string[]> {
  return withClient(connection, async (client) => {
    await client.query(`select setseed(0.5)`)
    const { rows } = await client.query<{ search: string }>(
      `select (array[${typed.join()}])[1 + n % ${typed.length}] as search
       from (select row_number() over () as n, r.* from
         (select * from clients where id > 100 order by random() limit ${many * 2}) r) clients`,
    )
    return rows
      .map(({ search }) => search)
      .filter((search) => search !== null && search.length >= 3)
      .slice(0, many)
  })
}

import { type RawBuilder, sql } from 'kysely'

/** The name of a client: the company, else the person. */
export const clientName = (id: RawBuilder<unknown>) => sql`(select coalesce((select e.company_name
    from client_entities e where e.client_id = c.id), btrim(c.first_name || ' ' || c.last_name))
  from clients c where c.id = ${id})`

import { withClient } from '../../api/src/platform/db/client.ts'
import type { Connection } from '../../api/src/platform/db/connection.ts'
import { Pool } from '../../api/src/platform/db/pool.ts'
import { makeVault } from '../../api/src/platform/vault.ts'
import { registerEngine } from '../../api/src/workspaces/engines/registry.ts'
import { tokenSecret } from './portal.ts'

export type MeteredEngine = {
  readonly code: string
  readonly id: number
  readonly secret: string
  readonly panels: readonly number[]
}

/** An engine of the bench, with so many panels of a client of its own. */
export async function meteredPanels(
  connection: Connection,
  panels: number,
  code = 'bench',
): Promise<MeteredEngine> {
  const pool = new Pool(connection, 1, () => undefined)
  try {
    const keys = { db: pool.kysely, vault: makeVault(tokenSecret) }
    const about = { code, name: 'Bench', baseUrl: 'https://engine.example.com', isDefault: false }
    const secret = await registerEngine(keys, about)
    const { rows } = await withClient(connection, (client) =>
      client.query<{ id: string; engine: string }>(
        `with c as (insert into clients (email, first_name, last_name, language_id, currency_id, status, email_verified_at)
            values ('${code}@metered.test', 'Metered', 'Client', 1, 1, 1, now()) returning id),
          p as (insert into projects (client_id, name) select id, 'Workspace' from c returning id, client_id)
          insert into panels (client_id, project_id, panel_engine_id, name, external_id, status)
          select p.client_id, p.id, e.id, 'panel-' || n, 'metered-' || n, 'active'
          from p, panel_engines e, generate_series(1, ${panels}) n where e.code = '${code}'
          returning id, panel_engine_id as engine`,
      ),
    )
    return { code, secret, id: Number(rows[0]?.engine), panels: rows.map(({ id }) => Number(id)) }
  } finally {
    await pool.close()
  }
}

type Shape = {
  readonly email: string
  readonly panels: number
  readonly resources: number
  readonly days: number
}

/** The usage of clients, five meters per resource and day, with the sums of rating. */
export async function fillUsage(
  connection: Connection,
  { email, panels, resources, days }: Shape,
): Promise<number> {
  return withClient(connection, async (client) => {
    await client.query(`with c as (insert into clients (email, first_name, last_name, language_id, currency_id, status, email_verified_at)
        values ('${email}', 'Usage', 'Client', 1, 1, 1, now()) returning id),
      p as (insert into projects (client_id, name) select id, 'Workspace ' || n from c, generate_series(1, 5) n returning id, client_id)
      insert into panels (client_id, project_id, name, external_id, status)
      select p.client_id, p.id, 'panel-' || n, '${email}-' || p.id || '-' || n, 'active'
      from p, generate_series(1, ${Math.ceil(panels / 5)}) n`)
    await client.query(`insert into usages (client_id, project_id, panel_id, resource_ref, resource_name, usage_on, currency,
        rated_amount, charged_amount, status)
      select p.client_id, p.project_id, p.id, 'server/s' || n, 'server ' || n, current_date - d, 'USD', 0.05, 0.05, 'charged'
      from panels p join clients c on c.id = p.client_id and c.email = '${email}',
        generate_series(1, ${days}) d, generate_series(1, ${resources}) n order by d desc`)
    await client.query(`insert into usage_lines (usage_id, meter_id, quantity, unit_price, amount)
      select u.id, m, 10, 0.001, 0.01 from usages u join clients c on c.id = u.client_id and c.email = '${email}',
        generate_series(1, 5) m`)
    await client.query(`insert into usage_panel_days (client_id, usage_on, panel_id, project_id, usages, rated_amount, charged_amount)
      select client_id, usage_on, panel_id, project_id, count(*), sum(rated_amount), sum(charged_amount)
      from usages u join clients c on c.id = u.client_id and c.email = '${email}' group by 1, 2, 3, 4`)
    await client.query(`insert into usage_client_days (client_id, usage_on, usages, rated_amount, charged_amount)
      select client_id, usage_on, sum(usages), sum(d.rated_amount), sum(d.charged_amount)
      from usage_panel_days d join clients c on c.id = d.client_id and c.email = '${email}' group by 1, 2`)
    const { rows } = await client.query<{ lines: string }>(`select count(*) as lines from usage_lines l
      join usages u on u.id = l.usage_id join clients c on c.id = u.client_id and c.email = '${email}'`)
    return Number(rows[0]?.lines)
  })
}

/**
 * The usage of clients with two servers on each of some days, rated and not charged, with the sums of rating.
 */
export async function fillRated(
  connection: Connection,
  { clients, days }: { readonly clients: number; readonly days: readonly string[] },
): Promise<void> {
  const list = `array['${days.join("','")}']::date[]`
  const statements = [
    `with c as (insert into clients (email, first_name, last_name, language_id, currency_id, status, email_verified_at)
        select 'rated' || n || '@bench.test', 'Rated', n::text, 1, 1, 1, now() from generate_series(1, ${clients}) n returning id),
      p as (insert into projects (client_id, name) select id, 'Workspace' from c returning id, client_id)
      insert into panels (client_id, project_id, name, external_id, status) select client_id, id, 'panel', 'rated-' || id, 'active' from p`,
    // References that are valid by construction are not checked: millions of checks take longer than all the
    // rest.
    'set session_replication_role = replica',
    'select setseed(0.42)',
    `insert into usages (client_id, project_id, panel_id, resource_ref, usage_on, currency, rated_amount)
      select p.client_id, p.project_id, p.id, 'server/s' || n, day, 'USD', round((0.01 + random())::numeric, 6)
      from unnest(${list}) day, panels p, generate_series(1, 2) n order by day, p.id, n`,
    `insert into usage_panel_days (client_id, usage_on, panel_id, project_id, usages, rated_amount)
      select client_id, usage_on, panel_id, project_id, count(*), sum(rated_amount) from usages group by 1, 2, 3, 4 order by 2, 1`,
    `insert into usage_client_days (client_id, usage_on, usages, rated_amount, due)
      select client_id, usage_on, sum(usages), sum(rated_amount), true from usage_panel_days group by 1, 2 order by 2, 1`,
    'set session_replication_role = origin',
    'vacuum analyze',
    'checkpoint',
  ]
  await withClient(connection, async (client) => {
    for (const statement of statements) await client.query(statement)
  })
}

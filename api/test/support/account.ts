import { sql } from 'kysely'
import { bringOver, type Opening } from '#money/ledger/opening.ts'
import type { Pool } from '#platform/db/pool.ts'

export type Account = {
  readonly id: number
  readonly email: string
  readonly projects: readonly number[]
  readonly panels: readonly number[]
}

let made = 0

async function ids(query: Promise<{ rows: { id: number }[] }>): Promise<number[]> {
  return (await query).rows.map(({ id }) => id)
}

/**
 * An account with something of every type: workspaces, in each the given number of panels, in each panel three servers,
 * clusters and domains. Written straight to the tables: tests of reading have no need of the services.
 */
export async function makeAccount(
  pool: Pool,
  {
    projects = 3,
    panels = 2,
    opening = { balance: '12.345678', credit: '10', on: '2026-01-01' },
    currency = 'USD',
  }: { projects?: number; panels?: number; opening?: Opening | null; currency?: string } = {},
): Promise<Account> {
  const db = pool.kysely
  const email = `person-${process.pid}-${++made}@example.com`
  const [id = 0] = await ids(
    sql<{ id: number }>`insert into clients (email, first_name, last_name, language_id, currency_id, status)
      select ${email}, 'Ana', 'Pop', l.id, c.id, 1 from (select id from languages order by id limit 1) l,
        currencies c where c.code = ${currency} returning id`.execute(db),
  )
  await sql`insert into client_entities (client_id, city, country_id)
    select ${id}, 'Cluj-Napoca', id from countries where code = 'RO'`.execute(db)
  if (opening) await bringOver(db, id, opening)
  await sql`insert into register_details (client_id, first_name, last_name, account_type, country_id, terms_version,
    terms_accepted_at, privacy_accepted_at, marketing_consent, source)
    select ${id}, 'Ana', 'Pop', 2, id, '2026-01', now(), now(), false, 'email' from countries where code = 'RO'`.execute(
    db,
  )
  await sql`insert into client_features (client_id, feature, enabled) values (${id}, 'clusters', true)`.execute(
    db,
  )
  const projectIds = await ids(
    sql<{ id: number }>`insert into projects (client_id, name, created_at)
      select ${id}, 'Workspace ' || n, now() - n * interval '1 hour' from generate_series(1, ${projects}::int) n
      returning id`.execute(db),
  )
  await sql`update clients set current_project_id = ${projectIds[0] ?? null} where id = ${id}`.execute(db)
  const panelIds = await ids(
    sql<{ id: number }>`insert into panels (client_id, project_id, name, status, external_id, synced_at)
      select ${id}, p.id, 'Panel ' || n || ' of ' || p.id, 'active', 'ext-' || p.id || '-' || n, now()
      from unnest(${projectIds}::int8[]) p (id), generate_series(1, ${panels}::int) n returning id`.execute(
      db,
    ),
  )
  await sql`insert into panel_resources (panel_id, kind, external_id, name, status, region, spec, last_seen_at)
    select p.id, kind, kind || n, kind || ' ' || n, 'running', 'eu', jsonb_build_object(
      'ipv4', '192.0.2.' || n, 'vcpus', 2, 'memory_gb', 4.5, 'disk_gb', 80, 'cpu_percent', 12.25, 'nodes', 3, 'nodes_ready', 3,
      'mailboxes', n, 'tls_expires_on', '2030-01-31'), now()
    from unnest(${panelIds}::int8[]) p (id), unnest(array['server', 'cluster', 'domain']) kind, generate_series(1, 3) n`.execute(
    db,
  )
  return { id, email, projects: projectIds, panels: panelIds }
}

/** The same, whose owner has confirmed the address. */
export async function makeConfirmedAccount(...of: Parameters<typeof makeAccount>): Promise<Account> {
  const account = await makeAccount(...of)
  await of[0].kysely
    .updateTable('clients')
    .set({ email_verified_at: new Date().toISOString() })
    .where('id', '=', account.id)
    .execute()
  return account
}

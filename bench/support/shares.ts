import { withClient } from '../../api/src/platform/db/client.ts'
import type { Connection } from '../../api/src/platform/db/connection.ts'

/** Who the bench asks as: an owner of whom nobody opened anything, and a guest of theirs to whom some panels are open. */
export const parties = { owner: 'client1@bench.test', guest: 'client2@bench.test' } as const

/** What the list that is measured holds: of these panels in each of the owner's three workspaces the guest sees half. */
const ofOwner = 40

/**
 * Fills a database with so many panels, four in each workspace and three workspaces to a client, and two permissions for
 * each client: a third opens everything, a third nothing, and a third two of three workspaces, one of them by single panels.
 * The first client has larger workspaces, which are open in that way to the second.
 */
export async function fillShares(connection: Connection, panels: number): Promise<void> {
  const clients = Math.ceil(panels / 12)
  const statements = [
    `insert into clients (email, first_name, last_name, language_id, currency_id, status, email_verified_at)
       select 'client' || g || '@bench.test', 'First' || g, 'Last' || g, 1, 1, 1, now() from generate_series(1, ${clients}) g`,
    `insert into projects (client_id, name, created_at)
       select c.id, 'Workspace ' || n, now() - n * interval '1 hour' from clients c, generate_series(1, 3) n`,
    `insert into panels (client_id, project_id, name, external_id, status, region)
       select w.client_id, w.id, 'panel-' || n, w.id || '-' || n, 'active', 'eu-central'
       from projects w, generate_series(1, ${ofOwner}) n
       where n <= 4 or w.client_id = (select id from clients where email = '${parties.owner}')`,
    'select setseed(0.42)',
    `insert into share_permissions (inviting_client_id, invited_client_id, billing, tickets, workspace_resources)
       select o.id, g.id, 'allowed', 'allowed', (array['none', 'custom', 'all']::access_level[])[1 + n % 3]
       from generate_series(1, ${clients * 2}) n
       join lateral (select 1 + floor(random() * ${clients} + 0 * n)::int as owner, 1 + floor(random() * ${clients} + 0 * n)::int as guest) r on true
       join clients o on o.email = 'client' || r.owner || '@bench.test'
       join clients g on g.email = 'client' || r.guest || '@bench.test'
       where o.id <> g.id and o.email <> '${parties.owner}' and g.email not in ('${parties.owner}', '${parties.guest}')
       on conflict do nothing`,
    `insert into share_permissions (inviting_client_id, invited_client_id, workspace_resources)
       select o.id, g.id, 'custom' from clients o, clients g
       where o.email = '${parties.owner}' and g.email = '${parties.guest}'`,
    `insert into share_permission_workspaces
         (permission_id, client_id, project_id, selected, show_workspace, access_type, add_panels, delete_panels)
       select s.id, s.inviting_client_id, w.id, true, true, case when w.name like '% 1' then 'all' else 'custom' end::access_level,
         'denied', 'denied'
       from share_permissions s join projects w on w.client_id = s.inviting_client_id and w.name not like '% 3'
       where s.workspace_resources = 'custom'`,
    `insert into share_permission_panels (permission_id, project_id, panel_id)
       select e.permission_id, e.project_id, p.id from share_permission_workspaces e
       join panels p on p.project_id = e.project_id where e.access_type = 'custom' and p.id % 2 = 0`,
    'vacuum analyze',
  ]
  await withClient(connection, async (client) => {
    for (const statement of statements) await client.query(statement)
  })
}

/** What there is to choose from, as the bench tells it. */
export async function countShares(connection: Connection): Promise<string> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ said: string }>(`select
      (select count(*) from clients) || ' clients, ' || (select count(*) from projects) || ' workspaces, '
      || (select count(*) from panels) || ' panels, ' || (select count(*) from share_permissions) || ' permissions' as said`)
    return rows[0]?.said ?? ''
  })
}

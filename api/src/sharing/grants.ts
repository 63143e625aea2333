import type { Actor, Capability, Grant, Need, Reach } from '#platform/context.ts'
import { type Database, type Runner, runnerOf } from '#platform/db/pool.ts'

/** Owner statuses whose permissions count: all but blocked (0) and closed (4). */
const ownerMayAct = '(1, 2, 3)'

const listOf = (column: string, from: string) => `(select coalesce(json_agg(${column}), '[]') from ${from})`

// With full access there may be hundreds of workspaces, of which only the restricted ones matter.
const spaces = `
  select v.project_id as id, v.access_type, v.add_panels, v.delete_panels from shared_workspaces v
  where v.permission_id = s.id and s.workspace_resources = 'custom'
  union all
  select e.project_id, 'all', e.add_panels = 'allowed', e.delete_panels = 'allowed' from share_permission_workspaces e
  where e.permission_id = s.id and s.workspace_resources = 'all' and 'denied' in (e.add_panels, e.delete_panels)`

const columns = `s.id, s.inviting_client_id as owner, o.first_name as "ownerName", s.billing = 'allowed' as billing,
  s.tickets = 'allowed' as tickets, s.my_workspaces = 'allowed' and s.workspace_resources <> 'none' as my_workspaces,
  s.add_panels = 'allowed' as add_panels, s.delete_panels = 'allowed' as delete_panels, s.workspace_resources,
  s.account_access <> 'none' as account_access, s.domain_access, ${listOf('w', `(${spaces}) w`)} as spaces,
  ${listOf('x.panel_id', `share_permission_panels x where x.permission_id = s.id and s.workspace_resources = 'custom'`)} as panels,
  ${listOf('d.domain_id', `share_permission_domains d where d.permission_id = s.id and s.domain_access = 'custom'`)} as domains`

const grantsSql = `
  select c.id, (select json_agg(g order by g.id) from (
    select ${columns} from share_permissions s join clients o on o.id = s.inviting_client_id
    where s.invited_client_id = c.id and s.revoked_at is null and (s.expires_at is null or s.expires_at > $2::timestamptz)
      and o.status in ${ownerMayAct}) g) as grants
  from unnest($1::int8[]) c (id)`

/**
 * Whether a client may have grants, as an expression for a statement that reads the client anyway. Most
 * clients have none, which saves the further query.
 */
export const mayBeGuest = (client: string): string =>
  `exists (select from share_permissions s where s.invited_client_id = ${client} and s.revoked_at is null)`

/** The grants of clients at a moment, by client; clients without grants have no entry. */
export async function readGrants(
  run: Runner,
  clients: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, readonly Grant[]>> {
  if (clients.length === 0) return new Map()
  const rows = await run.run<{ id: number; grants: Grant[] | null }>({
    sql: grantsSql,
    values: [clients, now.toISOString()],
  })
  return new Map(rows.flatMap(({ id, grants }) => (grants === null ? [] : [[id, grants]])))
}

/** The accounts that grants open by capability, the actor's own first. */
function ownersOf(id: number, grants: readonly Grant[]): Actor['owners'] {
  const own = [id]
  if (grants.length === 0) return () => own
  const by = (capability: Capability) => [
    id,
    ...grants.filter((grant) => grant[capability]).map(({ owner }) => owner),
  ]
  const owners = { billing: by('billing'), tickets: by('tickets'), my_workspaces: by('my_workspaces') }
  return (capability) => owners[capability]
}

const nowhere: Reach = { accounts: [], except: [], projects: [], listedIn: [], panels: [] }

/** The rows where grants allow something (contract/src/rules/permissions.ts as sets). */
function reachBy(grants: readonly Grant[], need: Need): Reach {
  const open = grants.filter(({ my_workspaces }) => my_workspaces)
  const allows = (one: { add_panels: boolean; delete_panels: boolean }) => need === 'see' || one[need]
  const all = open.filter((grant) => grant.workspace_resources === 'all' && allows(grant))
  const some = open.filter(({ workspace_resources }) => workspace_resources === 'custom')
  const inSome = some.flatMap(({ spaces }) => spaces.filter(allows))
  const idsBy = (access: string) =>
    inSome.filter(({ access_type }) => access_type === access).map(({ id }) => id)
  return {
    accounts: all.map(({ owner }) => owner),
    except: all.flatMap(({ spaces }) => spaces.filter((space) => !allows(space)).map(({ id }) => id)),
    projects: idsBy('all'),
    listedIn: idsBy('custom'),
    panels: some.flatMap(({ panels }) => panels),
  }
}

function reachOf(grants: readonly Grant[]): Actor['reach'] {
  if (grants.length === 0) return () => nowhere
  const known = new Map<Need, Reach>()
  return (need) => {
    const reach = known.get(need) ?? reachBy(grants, need)
    known.set(need, reach)
    return reach
  }
}

/** The access by grants, in the form that the actor of a request carries. */
export const accessOf = (
  id: number,
  grants: readonly Grant[],
): Pick<Actor, 'grants' | 'owners' | 'reach'> => ({
  grants,
  owners: ownersOf(id, grants),
  reach: reachOf(grants),
})

/**
 * The actor inside a writing transaction: locks their grants and reads them again. A revocation waits until
 * the work under the grant is committed, or was first, and then the grant is gone.
 */
export async function holdGrants(tx: Database, actor: Actor, now: Date): Promise<Actor> {
  await tx
    .selectFrom('share_permissions')
    .select('id')
    .where('invited_client_id', '=', actor.id)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
  // Only a statement that begins now sees the changes of the transactions it waited for.
  const grants = await readGrants(runnerOf(tx), [actor.id], now)
  return { ...actor, ...accessOf(actor.id, grants.get(actor.id) ?? []) }
}

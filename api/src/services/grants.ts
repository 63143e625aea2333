import { type RawBuilder, sql } from 'kysely'
import type { Actor, Capability, Grant } from '../db/context.ts'
import type { Database } from '../db/pool.ts'

/** The statuses of an owner whose permissions count: all but blocked (0) and closed (4). */
const ownerMayAct = '(1, 2, 3)'

const live = (guest: string, now: string) =>
  `s.invited_client_id = ${guest} and s.revoked_at is null and (s.expires_at is null or s.expires_at > ${now})
    and o.status in ${ownerMayAct}`

const columns = `s.id, s.inviting_client_id as owner, o.first_name as "ownerName", s.billing = 'allowed' as billing,
  s.tickets = 'allowed' as tickets, s.my_workspaces = 'allowed' and s.workspace_resources <> 'none' as my_workspaces,
  s.add_panels = 'allowed' as add_panels`

const tables = 'share_permissions s join clients o on o.id = s.inviting_client_id'

/**
 * What is opened to a client at a moment, as one JSON value: null when nothing is. An expression for a statement that reads
 * the client anyway; `guest` and `now` are SQL.
 */
export const grantsOf = (guest: string, now: string): string =>
  `(select json_agg(g order by g.id) from (select ${columns} from ${tables} where ${live(guest, now)}) g)`

/** The accounts that grants open by capability, with the own one first. */
export function reachOf(id: number, grants: readonly Grant[]): Actor['owners'] {
  const own = [id]
  if (grants.length === 0) return () => own
  const by = (capability: Capability) => [
    id,
    ...grants.filter((grant) => grant[capability]).map(({ owner }) => owner),
  ]
  const reach = { billing: by('billing'), tickets: by('tickets'), my_workspaces: by('my_workspaces') }
  return (capability) => reach[capability]
}

/** As `grantsOf`, and held against change until the transaction ends. */
function held(guest: number, now: Date): RawBuilder<Grant> {
  return sql<Grant>`select ${sql.raw(columns)} from ${sql.raw(tables)}
    where s.invited_client_id = ${guest} and s.revoked_at is null
      and (s.expires_at is null or s.expires_at > ${now.toISOString()}) and o.status in ${sql.raw(ownerMayAct)}
    order by s.id for share of s`
}

/**
 * The actor as they are in a transaction that is to write. What was opened to them is read again and held: whoever wants to
 * take it away waits until what was begun under it is done, or was first, and then it is not there any more.
 */
export async function holdGrants(tx: Database, actor: Actor, now: Date): Promise<Actor> {
  const { rows } = await held(actor.id, now).execute(tx)
  return { ...actor, grants: rows, owners: reachOf(actor.id, rows) }
}

import type { User } from '@portico/contract/calls/user.ts'
import { clientEntities } from '@portico/contract/resources/client-entities.ts'
import { clients } from '@portico/contract/resources/clients.ts'
import { termsDue } from '#accounts/texts/acceptances.ts'
import type { Deps } from '#identity/deps.ts'
import type { Actor, View } from '#platform/context.ts'
import { readOnly } from '#platform/db/transact.ts'
import { accessOf, mayBeGuest, readGrants } from '#sharing/grants.ts'
import { enteredBySecondFactor } from '#staff/roles.ts'
import { sessionEnded } from './refusal.ts'

/** The columns of a resource's attributes, without the two time stamps. */
const columns = (attributes: object) =>
  Object.keys(attributes).filter((name) => !/^(created|updated)At$/.test(name))

// The contract determines the columns, so that a new attribute there appears here too. One statement, and one
// more for guests: the browser app makes this call at every start.
const userSql = `
select c.id, ${columns(clients.attributes)
  .map((name) => `c.${name}`)
  .join(', ')}, l.code as language, ${mayBeGuest('c.id')} as guest,
  case when e.id is not null then json_build_object('id', e.id,
    ${columns(clientEntities.attributes)
      .map((name) => `'${name}', e.${name}`)
      .join(', ')}) end as "clientEntity",
  case when m.id is not null then json_build_object('id', m.id, 'display_name', m.display_name, 'role', m.role,
    'needs_second_factor', not ${enteredBySecondFactor('m', 's')}) end as staff,
  case when m.id is null then ${termsDue('c')} end as terms_due
from clients c join languages l on l.id = c.language_id left join client_entities e on e.client_id = c.id
  left join admins m on m.auth_id = c.auth_id left join auth_sessions s on s.id = nullif($2, '')::uuid and s.account_id = c.auth_id
where c.auth_id = $1`

/** The signed-in person with the data for the portal's shell, or the person whose account is seen by a view. */
export async function userOf(
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  { accountId, sessionId }: Pick<Actor, 'accountId' | 'sessionId'>,
  view: View | null = null,
): Promise<User> {
  const run = view ? readOnly(pool.kysely) : pool
  const [found] = await run.run({ sql: userSql, values: [accountId, sessionId] })
  if (found === undefined) throw sessionEnded()
  const { guest, ...rest } = found
  // Only the owner accepts terms.
  const row = { ...rest, view, ...(view && { terms_due: null }) }
  const id = Number(rest.id)
  const grants = await readGrants(run, guest && !view ? [id] : [], clock.now())
  const { owners } = accessOf(id, grants.get(id) ?? [])
  // Staff access no account, not even the one they sign in with.
  if (rest.staff)
    return { ...row, access: { billing: [], tickets: [], my_workspaces: [] } } as unknown as User
  const access = {
    billing: owners('billing'),
    tickets: owners('tickets'),
    my_workspaces: owners('my_workspaces'),
  }
  return { ...row, access } as User // The statement selects the columns of the contract.
}

/**
 * Stores a person's language. Staff need this call because they may not change clients, including their own
 * row.
 */
export async function keepLanguage(
  { pool }: Pick<Deps, 'pool'>,
  accountId: string,
  language: User['language'],
): Promise<void> {
  await pool.kysely
    .updateTable('clients')
    .set((eb) => ({ language_id: eb.selectFrom('languages').select('id').where('code', '=', language) }))
    .where('auth_id', '=', accountId)
    .execute()
}

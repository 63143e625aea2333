import { admins } from '@portico/contract/resources/admins.ts'
import { type SqlBool, sql } from 'kysely'
import { own, type Rule } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import type { SymbolicActor } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { among } from '#sharing/reach.ts'
import { ticketShared } from './visibility.ts'

/** Staff who have written in a ticket that the actor sees. */
const wroteTo = (actor: SymbolicActor) => {
  const said = sql`from ticket_messages m where m.author_admin_id = admins.id and m.visibility = 'public'`
  const mine = sql<SqlBool>`exists (select ${said} and m.client_id = ${actor.id})`
  if (!actor.guest) return mine
  const ofOthers = among('m.client_id', actor, ({ grants }) => grants.map(({ owner }) => owner))
  return sql<SqlBool>`(${mine} or exists (select ${said} and ${ofOthers}
    and exists (select from tickets t where t.id = m.ticket_id and ${ticketShared('t', actor)})))`
}

/** A client sees only the staff who wrote to them; staff see each other. */
const known: Rule<'admins'> = {
  ...own('admins.id'),
  own: undefined,
  guestsOnly: false,
  shared: wroteTo,
  staff: () => sql<SqlBool>`true`,
}

export default serve(admins, { table: 'admins', policy: { read: known }, keys: { group: 'tickets' } })

import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor } from '#platform/context.ts'
import { reason } from '#platform/errors/problem.ts'
import {
  everyone,
  nobody,
  own,
  ownOrShared,
  type Reference,
  type Rule,
  type TableOf,
} from '#platform/jsonapi/declare/policy.ts'
import type { SymbolicActor, SymbolicStaff } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { among, inOpenPanel, inPanelOf } from '#sharing/reach.ts'
import { ofBilling, staffAnswers, staffSees } from '#staff/ticket-visibility.ts'

// Visibility of tickets, as conditions on rows; `t` is the alias of the tickets table in the statement.

/** The owners who shared their tickets with the actor, by the extent of their shared workspaces. */
const opened =
  (reach: 'all' | 'custom') =>
  ({ grants }: Actor): number[] =>
    grants
      .filter(({ tickets, workspace_resources }) => tickets && workspace_resources === reach)
      .map(({ owner }) => owner)

/**
 * Whether another account's ticket is shared with a guest. Ticket access: those that they opened; with all
 * workspaces every other one, with some workspaces those of shared panels; but none of a department that
 * requires billing access. Billing access: all tickets of those departments.
 */
export function ticketShared(t: string, actor: SymbolicActor): Expression<SqlBool> {
  const owner = `${t}.client_id`
  return sql<SqlBool>`((${among(owner, actor, ({ owners }) => owners('tickets'))}
      and (${sql.ref(`${t}.opened_by_client_id`)} = ${actor.id} or (not ${ofBilling(t)}
        and (${among(owner, actor, opened('all'))}
          or (${among(owner, actor, opened('custom'))} and ${inOpenPanel(`${t}.panel_id`, actor)})))))
    or (${among(owner, actor, ({ owners }) => owners('billing'))} and ${ofBilling(t)}))`
}

/** Tickets of one's own account, and shared tickets of others. */
export const ticketRead: Rule<'tickets'> = {
  ...ownOrShared('tickets.client_id', (actor) => ticketShared('tickets', actor)),
  staff: (staff) => staffSees('tickets', staff),
}

/** Everyone who sees the ticket, and staff who answer it. */
export const ticketWrite: Rule<'tickets'> = {
  ...everyone,
  staff: (staff) => staffAnswers('tickets', staff),
}

/** Staff who answer the ticket. */
export const staffOnly: Rule<'tickets'> = {
  ...nobody,
  table: 'tickets',
  staff: (staff) => staffAnswers('tickets', staff),
  refusal: () => reason('staff_only'),
}

/** A condition through the ticket of a row with `ticket_id`. */
const inTicket = (table: string, condition: (t: string) => Expression<SqlBool>) =>
  sql<SqlBool>`exists (select from tickets t where t.id = ${sql.ref(`${table}.ticket_id`)} and ${condition('t')})`

/** Whether a client sees the ticket of a row with `ticket_id`, and with the ticket's `client_id`. */
export const inSeenTicket = (table: string, actor: SymbolicActor): Expression<SqlBool> => {
  const mine = sql<SqlBool>`${sql.ref(`${table}.client_id`)} = ${actor.id}`
  return actor.guest ? sql<SqlBool>`(${mine} or ${inTicket(table, (t) => ticketShared(t, actor))})` : mine
}

export const staffSeesIn = (table: string, staff: SymbolicStaff): Expression<SqlBool> =>
  inTicket(table, (t) => staffSees(t, staff))

export const staffAnswersIn = (table: string, staff: SymbolicStaff): Expression<SqlBool> =>
  inTicket(table, (t) => staffAnswers(t, staff))

/** A rule with a condition only, independent of ownership. */
export const where = <R extends Reference>(
  owner: R,
  clients: (actor: SymbolicActor) => Expression<SqlBool>,
  staff: (staff: SymbolicStaff) => Expression<SqlBool>,
): Rule<TableOf<R>> => ({ ...own(owner), own: undefined, guestsOnly: false, shared: clients, staff })

/** Whether the ticket of a row with `ticket_id` is about a panel of a workspace. */
export const ticketIn = (project: Expression<number>, table: string): Expression<SqlBool> =>
  inTicket(table, (t) => inPanelOf(project, sql.ref(`${t}.panel_id`)))

/**
 * The name of a message's author, as every reader of its ticket sees it; `m` is the alias of the messages.
 */
export const authorName = (m: string) => sql`coalesce(
  (select c.first_name || ' ' || c.last_name from clients c where c.id = ${sql.ref(`${m}.author_client_id`)}),
  (select a.display_name from admins a where a.id = ${sql.ref(`${m}.author_admin_id`)}),
  ${sql.ref(`${m}.author_email`)}, '')`

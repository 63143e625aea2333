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
import { among, panelShared } from '#sharing/reach.ts'
import { ofBilling, staffAnswers, staffSees } from '#staff/ticket-visibility.ts'

// Who sees a ticket, as conditions on rows; `t` is what the table of tickets is called in the statement.

/** The owners who opened their tickets to the actor, by how much of their workspaces is open. */
const opened =
  (reach: 'all' | 'custom') =>
  ({ grants }: Actor): number[] =>
    grants
      .filter(({ tickets, workspace_resources }) => tickets && workspace_resources === reach)
      .map(({ owner }) => owner)

const aboutOpenPanel = (t: string, actor: SymbolicActor) =>
  sql<SqlBool>`exists (select from panels p where p.id = ${sql.ref(`${t}.panel_id`)} and p.deleted_at is null
    and ${panelShared({ owner: 'p.client_id', project: 'p.project_id', panel: 'p.id' }, 'see', actor)})`

/**
 * Whether somebody else's ticket is open to a guest. With tickets: those that they opened; where all workspaces are open,
 * every other one, where some are, those of panels that are; but none of a department that billing alone opens. With
 * billing: all of those departments.
 */
export function ticketShared(t: string, actor: SymbolicActor): Expression<SqlBool> {
  const owner = `${t}.client_id`
  return sql<SqlBool>`((${among(owner, actor, ({ owners }) => owners('tickets'))}
      and (${sql.ref(`${t}.opened_by_client_id`)} = ${actor.id} or (not ${ofBilling(t)}
        and (${among(owner, actor, opened('all'))}
          or (${among(owner, actor, opened('custom'))} and ${aboutOpenPanel(t, actor)})))))
    or (${among(owner, actor, ({ owners }) => owners('billing'))} and ${ofBilling(t)}))`
}

/** Tickets of one's own account, and those of others that are open to one. */
export const ticketRead: Rule<'tickets'> = {
  ...ownOrShared('tickets.client_id', (actor) => ticketShared('tickets', actor)),
  staff: (staff) => staffSees('tickets', staff),
}

/** Whoever sees the ticket, and staff who answer it. */
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

/** Through the ticket of a row that has `ticket_id`. */
const inTicket = (table: string, condition: (t: string) => Expression<SqlBool>) =>
  sql<SqlBool>`exists (select from tickets t where t.id = ${sql.ref(`${table}.ticket_id`)} and ${condition('t')})`

/** Whether a client sees the ticket of a row that has `ticket_id`, and `client_id` as its ticket has. */
export const inSeenTicket = (table: string, actor: SymbolicActor): Expression<SqlBool> => {
  const mine = sql<SqlBool>`${sql.ref(`${table}.client_id`)} = ${actor.id}`
  return actor.guest ? sql<SqlBool>`(${mine} or ${inTicket(table, (t) => ticketShared(t, actor))})` : mine
}

export const staffSeesIn = (table: string, staff: SymbolicStaff): Expression<SqlBool> =>
  inTicket(table, (t) => staffSees(t, staff))

export const staffAnswersIn = (table: string, staff: SymbolicStaff): Expression<SqlBool> =>
  inTicket(table, (t) => staffAnswers(t, staff))

/** What clients are let through to by a condition alone, whosever the row is. */
export const where = <R extends Reference>(
  owner: R,
  clients: (actor: SymbolicActor) => Expression<SqlBool>,
  staff: (staff: SymbolicStaff) => Expression<SqlBool>,
): Rule<TableOf<R>> => ({ ...own(owner), own: undefined, guestsOnly: false, shared: clients, staff })

/** Whether a ticket is about a panel of a workspace; `panel` is where its own stands. */
export const panelIn = (project: Expression<number>, panel: Expression<unknown>): Expression<SqlBool> =>
  sql<SqlBool>`exists (select from panels p where p.id = ${panel} and p.project_id = ${project})`

/** The same of the ticket of a row that has `ticket_id`. */
export const ticketIn = (project: Expression<number>, table: string): Expression<SqlBool> =>
  inTicket(table, (t) => panelIn(project, sql.ref(`${t}.panel_id`)))

/** The name of who wrote a message, as every reader of its ticket sees it; `m` is what the messages are called in the statement. */
export const authorName = (m: string) => sql`coalesce(
  (select c.first_name || ' ' || c.last_name from clients c where c.id = ${sql.ref(`${m}.author_client_id`)}),
  (select a.display_name from admins a where a.id = ${sql.ref(`${m}.author_admin_id`)}),
  ${sql.ref(`${m}.author_email`)}, '')`

import { tickets } from '@portico/contract/resources/tickets.ts'
import { readsGroup } from '@portico/contract/rules/api-key-scopes.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import { reason } from '#platform/errors/problem.ts'
import { everyone, own } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import type { SymbolicActor } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { inPanelOf, panelShared } from '#sharing/reach.ts'
import { grantStaffAccess, revokeStaffAccess } from '#sharing/staff-access.ts'
import { allStaff, staffAlone } from '#staff/roles.ts'
import { staffAnswers } from '#staff/ticket-visibility.ts'
import { addEmail } from '#tickets/recipients/emails.ts'
import { act, assign, markRead, moveToDepartment, waitsForStaff } from './actions.ts'
import { runMacro } from './macros.ts'
import { merge, unlessMerged } from './merge/merge.ts'
import { write, writersAt } from './presence/writers.ts'
import { setPriority } from './priority.ts'
import { dueAt } from './service-levels.ts'
import { setTags, tagsSeen } from './tags.ts'
import { newTicket, ticketCreated } from './tickets.ts'
import { authorName, staffOnly, ticketRead, ticketWrite } from './visibility.ts'

/** The condition that the subject contains the text, by its trigram index, or that the number equals it. */
const found = (text: Expression<string>) =>
  sql<SqlBool>`(lower(tickets.subject) like
      '%' || replace(replace(replace(lower(${text}), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'
    or tickets.number in (upper(${text}), 'T-' || upper(${text})))`

/** Whether the reader sees the panel `p`. Staff who see a ticket see its panel. */
const panelSeen = (actor: SymbolicActor) => {
  if (actor.staff) return sql<SqlBool>`true`
  const shared = panelShared({ owner: 'p.client_id', project: 'p.project_id', panel: 'p.id' }, 'see', actor)
  return sql<SqlBool>`(p.client_id = ${actor.id}${actor.guest ? sql` or ${shared}` : sql``})`
}

/**
 * Whether the ticket is about a panel that the reader sees: a guest could otherwise find the panels of
 * tickets by trying ids.
 */
const aboutPanel = (panel: Expression<string>, actor: SymbolicActor) => {
  const about = sql<SqlBool>`tickets.panel_id = ${panel}`
  if (!actor.guest) return about
  return sql<SqlBool>`(${about} and exists (select from panels p where p.id = tickets.panel_id and ${panelSeen(actor)}))`
}

/** Whether the ticket's panel is in a workspace, and the reader sees it there. */
const inProject = (project: Expression<string>, actor: SymbolicActor) =>
  sql<SqlBool>`exists (select from panels p where p.id = tickets.panel_id and p.project_id = ${project}
    and p.deleted_at is null and ${panelSeen(actor)})`

// A key without the scope must not read other people's names through a list.
const none = sql`null::text`

const accountName = ({ key }: SymbolicActor) =>
  key
    ? none
    : sql`(select concat_ws(' ', c.first_name, c.last_name) from clients c where c.id = tickets.client_id)`

const panelName = (actor: SymbolicActor) =>
  sql`(select p.name from panels p where p.id = tickets.panel_id and p.deleted_at is null and ${panelSeen(actor)}
    ${actor.key ? sql`and ${actor.key.says(({ scopes }) => readsGroup(scopes, 'panels'))}` : sql``})`

const assignedName = ({ staff }: SymbolicActor) =>
  staff ? sql`(select a.display_name from admins a where a.id = tickets.assigned_admin_id)` : none

const departmentCode = sql`(select d.code from ticket_departments d where d.id = tickets.ticket_department_id)`

const statusCode = sql`(select s.code from ticket_statuses s where s.id = tickets.ticket_status_id)`

/** The author of the latest public message, whose name readers also see in the conversation. */
const lastAuthor = (actor: SymbolicActor) => {
  const name = authorName('m')
  const unlessOwn = sql`case when m.author_client_id is distinct from ${actor.id} then ${name} end`
  return sql`(select ${actor.staff ? name : unlessOwn} from ticket_messages m
    where m.ticket_id = tickets.id and m.visibility = 'public'
      and (m.author_client_id is not null or m.author_admin_id is not null or m.author_email is not null)
    order by m.id desc limit 1)`
}

const startOf = (day: Expression<string>) => sql`(${day}::date::timestamp at time zone 'utc')`

export default serve(tickets, {
  table: 'tickets',
  routine: true,
  pageFirst: true,
  policy: {
    read: ticketRead,
    create: everyone,
    reply: ticketWrite,
    note: staffOnly,
    close: ticketWrite,
    reopen: ticketWrite,
    resolve: ticketWrite,
    markRead: everyone,
    addEmail: ticketWrite,
    // A guest could otherwise grant access to a person with more rights than their own.
    grantStaffAccess: own('tickets.client_id'),
    revokeStaffAccess: { ...own('tickets.client_id'), staff: (staff) => staffAnswers('tickets', staff) },
    hold: staffOnly,
    assign: staffOnly,
    move: staffOnly,
    setPriority: staffOnly,
    writing: staffOnly,
    tag: staffOnly,
    tags: staffAlone(...allStaff),
    merge: staffOnly,
    runMacro: staffOnly,
  },
  may: unlessMerged,
  account: 'client_id',
  accountOf: { panel_id: 'panels', project_id: 'projects' },
  everyAccount: 'accounts',
  keys: {
    group: 'tickets',
    within: 'panel',
    inProject: (project) => inPanelOf(project, sql.ref('tickets.panel_id')),
    // Only a person may grant access, not a program.
    never: ['grantStaffAccess', 'revokeStaffAccess'],
  },
  columns: {
    description: () =>
      sql`(select m.body from ticket_messages m where m.ticket_id = tickets.id order by m.id limit 1)`,
    department: () => departmentCode,
    status: () => statusCode,
    language: () => sql`(select l.code from clients c join languages l on l.id = c.language_id
      where c.id = tickets.client_id)`,
    notified_emails:
      () => sql`(select coalesce(json_agg(e.email order by x.id), '[]') from ticket_ticket_emails x
      join ticket_emails e on e.id = x.ticket_email_id where x.ticket_id = tickets.id)`,
    staff_access_until: () => sql`(select a.until from open_staff_accesses a where a.ticket_id = tickets.id)`,
    account_view_until: () => sql`(select a.until from open_view_consents a where a.ticket_id = tickets.id)`,
    // Clients only see the deadline of the first answer.
    resolve_due: (_, actor) =>
      actor.staff
        ? sql`case when tickets.resolved_at is null and tickets.closed_at is null then tickets.resolve_due end`
        : sql`null::timestamptz`,
    tags: (_, actor) => (actor.staff ? sql`to_jsonb(tickets.tags)` : sql`null::jsonb`),
    writers: (_, actor) => writersAt(actor),
    last_message_author: (_, actor) => lastAuthor(actor),
    first_response_due: () =>
      sql`case when tickets.first_responded_at is null then tickets.first_response_due end`,
  },
  // The description becomes the first message, and the addresses have their own rows.
  spread: { description: () => ({}), notified_emails: () => ({}) },
  fill: newTicket,
  relationships: {
    client: 'client_id',
    openedBy: 'opened_by_client_id',
    panel: 'panel_id',
    ticketDepartment: 'ticket_department_id',
    ticketStatus: 'ticket_status_id',
    assignedAdmin: 'assigned_admin_id',
    follows: 'follows_id',
    mergedInto: 'merged_into_id',
    ticketMessages: { foreignKey: 'ticket_id' },
    ticketFile: { foreignKey: 'ticket_id' },
    ticketTicketEmails: { foreignKey: 'ticket_id' },
  },
  filters: {
    client_id: 'client_id',
    // Everyone who sees a row may do this.
    accounts: () => sql<SqlBool>`true`,
    panel_id: (_, value, actor) => aboutPanel(value, actor),
    project_id: (_, value, actor) => inProject(value, actor),
    status: (_, value) =>
      sql`tickets.ticket_status_id = (select id from ticket_statuses where code = ${value})`,
    department: (_, value) =>
      sql`tickets.ticket_department_id = (select id from ticket_departments where code = ${value})`,
    closed: (_, value) => sql`(tickets.closed_at is not null) = ${value}::boolean`,
    unread: (_, value) => sql`tickets.client_unread = ${value}::boolean`,
    tag: (_, value, actor) =>
      actor.staff
        ? sql`(tickets.tags @> array[${value}]::text[] and tickets.tags <> '{}')`
        : sql`${value}::text is null`,
    // Clients must not see the assigned staff member.
    assigned_admin_id: (_, value, actor) =>
      actor.staff ? sql`tickets.assigned_admin_id = ${value}` : sql`${value}::int8 is null`,
    // Clients must not see deadlines either.
    waiting: (_, value, actor) =>
      actor.staff
        ? sql`(${waitsForStaff('tickets')} and case ${value} when 'overdue' then ${dueAt('tickets')} < now()
            else tickets.assigned_admin_id is null end)`
        : sql`${value}::text is null`,
    search: (_, value) => found(value),
    from: (_, value) => sql`tickets.created_at >= ${startOf(value)}`,
    to: (_, value) => sql`tickets.created_at < ${startOf(value)} + interval '1 day'`,
  },
  order: '-last_message_at',
  totals: {
    sums: {},
    kept: [
      {
        table: 'ticket_counts',
        count: 'many',
        filters: ['client_id', 'panel_id', 'project_id', 'status', 'department', 'unread'],
      },
    ],
  },
  csv: {
    number: 'number',
    subject: 'subject',
    account: (_, actor) => accountName(actor),
    panel: (_, actor) => panelName(actor),
    department: () => departmentCode,
    status: () => statusCode,
    assigned: (_, actor) => assignedName(actor),
    opened: 'created_at',
    last_message: 'last_message_at',
    last_message_by: 'last_message_by',
  },
  constraints: {
    ticket_file_stays: { field: 'ticketFile', refusal: reason('file_attached') },
    ticket_follows_own: { field: 'follows', refusal: reason('ticket_followed_of_other_account') },
  },
  created: ticketCreated,
  actions: {
    close: (context, { row }) => act(context, row, 'close'),
    reopen: (context, { row }) => act(context, row, 'reopen'),
    resolve: (context, { row }) => act(context, row, 'resolve'),
    hold: (context, { row }) => act(context, row, 'hold'),
    markRead: (context, { row }) => markRead(context, row),
    addEmail: async (context, { row, input }) => ({
      ticket_ticket_email_id: await addEmail(context, row, input.email, input.name),
    }),
    grantStaffAccess: (context, { row, input }) => grantStaffAccess(context, row, input),
    revokeStaffAccess: (context, { row, input }) => revokeStaffAccess(context, row, input.scope),
    assign: (context, { row, input }) => assign(context, row, input.admin_id),
    move: (context, { row, input }) => moveToDepartment(context, row, input.department),
    setPriority: (context, { row, input }) => setPriority(context, row, input.priority),
    writing: (context, { row }) => write(context, row),
    tag: (context, { row, input }) => setTags(context, row, input.tags),
    tags: tagsSeen,
    merge: (context, { row, input }) => merge(context, row, input.into_id),
    runMacro: (context, { row, input }) => runMacro(context, row, input),
  },
})

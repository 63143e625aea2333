import * as z from 'zod/mini'
import { email } from '../calls/credentials.ts'
import {
  day,
  idParameter,
  integerId,
  language,
  line,
  moment,
  noInput,
  searchParameter,
  stamps,
  text,
} from '../fields.ts'
import { action, resource, toMany, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { fileLimits } from '../rules/tickets/ticket-files.ts'
import {
  mostAccessHours,
  mostNotified,
  mostTags,
  ticketPriorities,
  writingSeconds,
} from '../rules/tickets/ticket-limits.ts'
import { ticketTag, ticketTags } from '../rules/tickets/ticket-tags.ts'
import { ticketDepartmentCode } from './ticket-departments.ts'
import { ticketState } from './ticket-statuses.ts'

/** The maximum length of a message. */
export const longestMessage = 20_000

/** The maximum number of messages; then the client has to open another ticket. */
export const mostMessages = 2000

/** The access that an owner gives a member of staff: to open the ticket's panel, which is the default, or to see the account. */
export const accessScope = z.enum(['panel', 'account'])

/** The state of a ticket after an action. */
const moved = z.object({ status: ticketState })

export const tickets = resource('tickets', {
  description:
    'A question to the operator, with its messages. It belongs to one account, also when a guest opened it.',
  attributes: {
    /** The displayed number: `T-4K7QWM2X`. */
    number: z.string(),
    /** The owner: the panel's owner, else by default the reader. */
    client_id: z.optional(integerId),
    opened_by_client_id: integerId,
    panel_id: z.nullable(integerId),
    subject: line(160, { required: fault('subject_required') }),
    /** Its first message, as unsanitized Markdown. */
    description: text(longestMessage, { required: fault('description_required') }),
    /** The code of its department. */
    department: ticketDepartmentCode,
    status: ticketState,
    /** The language of the account's letters, for staff to answer in. */
    language,
    /** 1 low, 2 normal, 3 high, 4 urgent. */
    priority: z.int(),
    /** For staff: the words by which they sort tickets; null for clients. */
    tags: z.nullable(z.array(z.string())),
    /** For staff: the names of colleagues who are writing an answer or a note; null for clients. */
    writers: z.nullable(z.array(z.string())),
    /** Whether it has a message that no person of the account has read. */
    client_unread: z.boolean(),
    /** Further addresses that are notified of answers. */
    notified_emails: z.optional(
      z.array(email).check(z.maxLength(mostNotified, fault('addresses_most', { most: mostNotified }))),
    ),
    /** The target for the first answer; null once there is one. */
    first_response_due: z.nullable(moment),
    first_responded_at: z.nullable(moment),
    /**
     * For staff: the target for the resolution; null once resolved. Like the first, it pauses while staff
     * waits for the client.
     */
    resolve_due: z.nullable(moment),
    /**
     * Until when the assigned staff member may open its panel, with the owner's permission; null: they may
     * not.
     */
    staff_access_until: z.nullable(moment),
    /** Until when the assigned staff member may see the account as its owner does, with their permission; null: they may not. */
    account_view_until: z.nullable(moment),
    resolved_at: z.nullable(moment),
    closed_at: z.nullable(moment),
    last_message_at: moment,
    last_message_by: z.enum(['client', 'staff']),
    /** The author's name as the conversation shows it; null for the reader. */
    last_message_author: z.nullable(z.string()),
    ...stamps,
  },
  relationships: {
    client: toOne('clients'),
    openedBy: toOne('clients'),
    panel: toOne('panels', { nullable: true }),
    ticketDepartment: toOne('ticket-departments'),
    ticketStatus: toOne('ticket-statuses'),
    assignedAdmin: toOne('admins', { nullable: true }),
    /** The closed ticket that this one continues. */
    follows: toOne('tickets', { nullable: true }),
    /** The ticket that it was merged into, where the conversation goes on. */
    mergedInto: toOne('tickets', { nullable: true }),
    ticketMessages: toMany('ticket-messages'),
    /** When creating: the uploaded files to attach to its description. */
    ticketFile: toMany('ticket-files'),
    ticketTicketEmails: toMany('ticket-ticket-emails'),
  },
  create: [
    'subject',
    'description',
    'client_id',
    'notified_emails',
    'ticketDepartment',
    'panel',
    'follows',
    'ticketFile',
  ],
  filters: {
    client_id: idParameter,
    /** The tickets of every account that the reader sees, instead of one account's. */
    accounts: z.literal('all'),
    panel_id: idParameter,
    /** Tickets of a workspace’s panels. */
    project_id: idParameter,
    status: ticketState,
    department: ticketDepartmentCode,
    /** Whether it is closed. */
    closed: z.enum(['true', 'false']),
    unread: z.enum(['true', 'false']),
    /** For staff: the tickets assigned to this member. */
    assigned_admin_id: idParameter,
    /** For staff: tickets that wait for an answer of staff, and have no assigned member, or are past a deadline. */
    waiting: z.enum(['unassigned', 'overdue']),
    /** For staff: the tickets with this tag. */
    tag: ticketTag,
    /** Searches the subject and the number. */
    search: searchParameter,
    /** Opened on this UTC day or later, and on this day or earlier. */
    from: day,
    to: day,
  },
  sorts: ['last_message_at', 'createdAt', 'priority'],
  actions: {
    close: action({
      method: 'POST',
      on: 'one',
      description: 'Closes the ticket. `ticket_moved_on` when it is closed.',
      input: noInput,
      output: moved,
    }),
    reopen: action({
      method: 'POST',
      on: 'one',
      description:
        'Reopens a resolved ticket, or one that was closed in the last 30 days. `ticket_closed_long_ago` later, `ticket_moved_on` in any other state.',
      input: noInput,
      output: moved,
    }),
    resolve: action({
      method: 'POST',
      on: 'one',
      description: 'Marks the ticket as resolved. `ticket_moved_on` when it is resolved or closed.',
      input: noInput,
      output: moved,
    }),
    markRead: action({
      method: 'POST',
      on: 'one',
      description: 'Marks the ticket as read by the account.',
      input: noInput,
      output: z.object({ client_unread: z.literal(false) }),
    }),
    addEmail: action({
      method: 'POST',
      on: 'one',
      description: `Notifies an address of answers from now on; repeating it changes nothing. \`ticket_notified_most\` beyond ${mostNotified}.`,
      input: z.strictObject({ email, name: z.optional(line(80)) }),
      output: z.object({ ticket_ticket_email_id: integerId }),
    }),
    grantStaffAccess: action({
      method: 'POST',
      on: 'one',
      description: `The owner allows the assigned staff member to open the ticket's panel, for 1 to ${mostAccessHours} hours; or with the scope \`account\` to see the account as the owner does, without changing anything. \`ticket_without_panel\`, \`ticket_unanswered\` while nobody is assigned, \`ticket_closed\` when it is closed.`,
      input: z.strictObject({
        hours: z.int().check(z.gte(1), z.lte(mostAccessHours)),
        scope: z.optional(accessScope),
      }),
      output: z.object({ until: moment }),
    }),
    revokeStaffAccess: action({
      method: 'POST',
      on: 'one',
      description:
        'Ends that access at once, of one scope or of both; the assigned staff member can give it up. Closing the ticket does the same.',
      input: z.strictObject({ scope: z.optional(accessScope) }),
      output: z.object({ until: z.null() }),
    }),
    hold: action({
      method: 'POST',
      on: 'one',
      description: 'Staff: puts the ticket on hold. `ticket_moved_on` when it is held, resolved or closed.',
      input: noInput,
      output: moved,
    }),
    assign: action({
      method: 'POST',
      on: 'one',
      description:
        'Staff: assigns the ticket; null: to nobody. `ticket_assignee_unfit` for a staff member who cannot answer it.',
      input: z.strictObject({ admin_id: z.nullable(integerId) }),
      output: z.object({ assigned_admin_id: z.nullable(integerId) }),
    }),
    move: action({
      method: 'POST',
      on: 'one',
      description:
        'Staff: moves the ticket to another department. `department_unknown`, `department_closed`.',
      input: z.strictObject({ department: ticketDepartmentCode }),
      output: z.object({ department: ticketDepartmentCode }),
    }),
    setPriority: action({
      method: 'POST',
      on: 'one',
      description:
        'Staff: sets the priority, 1 low to 4 urgent. The response times follow it: urgent has a quarter of the department’s, high half, low twice. `ticket_closed` when it is closed.',
      input: z.strictObject({ priority: z.literal(ticketPriorities) }),
      output: z.object({ priority: z.int() }),
    }),
    writing: action({
      method: 'POST',
      on: 'one',
      passing: true,
      description: `Staff: shows colleagues for ${writingSeconds} seconds that the caller is writing here. A message of theirs ends it.`,
      input: noInput,
      output: z.object({ writing: z.literal(true) }),
    }),
    tag: action({
      method: 'POST',
      on: 'one',
      description: `Staff: replaces the tags, at most ${mostTags}. Clients never see them.`,
      input: z.strictObject({ tags: ticketTags }),
      output: z.object({ tags: z.array(z.string()) }),
    }),
    tags: action({
      method: 'GET',
      on: 'type',
      description: 'Staff: the tags of the tickets that the reader sees, in order.',
      input: noInput,
      output: z.object({ tags: z.array(z.string()) }),
    }),
    merge: action({
      method: 'POST',
      on: 'one',
      description:
        'Staff: merges the ticket into another one of the account, where its messages, files, notes and notified addresses go. It is closed for good, and its number and reply addresses lead to the other. `ticket_merge_itself`, `ticket_merge_of_other_account`, `ticket_merge_closed`, `ticket_merge_merged`, `ticket_merge_readers` when a guest reads only one of the two, `ticket_merged` when it was merged before.',
      input: z.strictObject({ into_id: integerId }),
      output: z.object({ into_id: integerId }),
    }),
    runMacro: action({
      method: 'POST',
      on: 'one',
      keyed: true,
      description:
        'Staff: sends an answer and sets what the macro says, all or nothing. The text is that of the composer, where the person has read and changed it. `macro_unknown` for a macro of another department, `ticket_closed`, `ticket_tags_most`, `department_closed`.',
      input: z.strictObject({
        /** A ready answer. */
        answer_id: integerId,
        body: text(longestMessage, { required: fault('message_required') }),
        /** Files that this member of staff uploaded for it. */
        file_ids: z.optional(z.array(integerId).check(z.maxLength(fileLimits.filesPerMessage))),
      }),
      output: z.object({ ran: z.literal(true) }),
    }),
  },
  abilities: ['reply', 'note'],
})

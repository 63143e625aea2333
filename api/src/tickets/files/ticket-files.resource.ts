import { ticketFiles } from '@portico/contract/resources/ticket-files.ts'
import { sql } from 'kysely'
import type { Actor, RowOf } from '#platform/context.ts'
import { reason } from '#platform/errors/problem.ts'
import { own, type Rule, type Verdict } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { inSeenTicket, staffSeesIn, ticketIn, where } from '#tickets/visibility.ts'
import { removeFile } from './files.ts'

const fromMe = (actor: { readonly id: unknown }) =>
  sql`(ticket_files.ticket_id is null and ticket_files.uploaded_by_client_id = ${actor.id})`
const fromStaff = (staff: { readonly id: unknown }) =>
  sql`(ticket_files.ticket_id is null and ticket_files.uploaded_by_admin_id = ${staff.id})`

/** The uploader of the file. */
const uploader: Rule<'ticket_files'> = {
  ...own('ticket_files.uploaded_by_client_id'),
  staff: (staff) => sql`${fromStaff(staff)}`,
}

const whileAlone = (_: Actor, { ticket_id }: RowOf<'ticket_files'>): Verdict =>
  ticket_id === null || reason('file_of_ticket')

export default serve(ticketFiles, {
  table: 'ticket_files',
  routine: true,
  policy: {
    read: where(
      'ticket_files.client_id',
      // A file is visible with its message, so those of internal notes are hidden.
      (actor) => sql`(${fromMe(actor)} or (ticket_files.ticket_id is not null and exists (
          select from ticket_messages m where m.id = ticket_files.ticket_message_id and m.visibility = 'public')
        and ${inSeenTicket('ticket_files', actor)}))`,
      (staff) => sql`(${fromStaff(staff)} or ${staffSeesIn('ticket_files', staff)})`,
    ),
    // A file only changes by being attached to a new ticket or message.
    update: uploader,
    delete: uploader,
  },
  account: 'client_id',
  accountOf: { ticket_id: 'tickets' },
  keys: { group: 'tickets', within: 'ticket', inProject: (project) => ticketIn(project, 'ticket_files') },
  columns: {
    expires_at: () =>
      sql`case when ticket_files.ticket_id is null then ticket_files.created_at + interval '24 hours' end`,
  },
  may: { update: whileAlone, delete: whileAlone },
  relationships: { ticket: 'ticket_id', ticketMessage: 'ticket_message_id' },
  filters: { client_id: 'client_id', ticket_id: 'ticket_id' },
  order: 'createdAt',
  remove: removeFile,
})

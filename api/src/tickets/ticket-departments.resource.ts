import { ticketDepartments } from '@portico/contract/resources/ticket-departments.ts'
import { sql } from 'kysely'
import { lookup } from '#platform/jsonapi/declare/serve.ts'

export default lookup(ticketDepartments, {
  table: 'ticket_departments',
  columns: { closed: () => sql`ticket_departments.closed_at is not null` },
  order: 'position',
})

import { ticketDepartments } from '@portico/contract/resources/ticket-departments.ts'
import { lookup } from '#platform/jsonapi/declare/serve.ts'

export default lookup(ticketDepartments, { table: 'ticket_departments', order: 'position' })

import { ticketStatuses } from '@portico/contract/resources/ticket-statuses.ts'
import { lookup } from '#platform/jsonapi/declare/serve.ts'

export default lookup(ticketStatuses, { table: 'ticket_statuses' })

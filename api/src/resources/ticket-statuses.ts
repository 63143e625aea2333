import { ticketStatuses } from '@portico/contract/resources/ticket-statuses.ts'
import { lookup } from '../jsonapi/serve.ts'

export default lookup(ticketStatuses, { table: 'ticket_statuses' })

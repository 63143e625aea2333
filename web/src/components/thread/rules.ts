import { email } from '@portico/contract/calls/credentials.ts'
import { ticketMessages } from '@portico/contract/resources/ticket-messages.ts'

// The validation of the forms here, loaded when one is sent.
export { email }
export const { body } = ticketMessages.attributes

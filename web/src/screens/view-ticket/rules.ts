import { email } from '@portico/contract/calls/credentials.ts'
import { ticketMessages } from '@portico/contract/resources/ticket-messages.ts'

// What is written here is checked by these, which are loaded when it is sent.
export { email }
export const { body } = ticketMessages.attributes

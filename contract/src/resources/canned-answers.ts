import { line, stamps, text } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { longestMessage } from './tickets.ts'

const body = text(longestMessage, { required: fault('message_required') })

/**
 * The placeholders of an answer: the client's first name, the ticket's number, and the staff member. The
 * browser fills them in.
 */
export const answerBlanks = ['first_name', 'number', 'my_name'] as const

export const cannedAnswers = resource('canned-answers', {
  description:
    'A reusable answer of staff, in both languages, for tickets of a department or of all. Only staff read them, and administrators write them. The client fills in `{first_name}`, `{number}` and `{my_name}` when one is inserted.',
  attributes: {
    /** The title by which staff finds it. */
    title: line(80, { required: fault('name_required') }),
    /** Markdown, like a message. */
    body_en: body,
    body_ro: body,
    ...stamps,
  },
  relationships: { ticketDepartment: toOne('ticket-departments', { nullable: true }) },
  create: ['title', 'body_en', 'body_ro', 'ticketDepartment'],
  update: ['title', 'body_en', 'body_ro', 'ticketDepartment'],
  delete: true,
  sorts: ['title', 'createdAt'],
})

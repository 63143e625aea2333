import { line, stamps, text } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { longestMessage } from './tickets.ts'

const body = text(longestMessage, { required: fault('message_required') })

/**
 * What of an answer is filled in for each ticket: the first name of its client, its number, and who answers. Whoever inserts
 * it fills it in.
 */
export const answerBlanks = ['first_name', 'number', 'my_name'] as const

export const cannedAnswers = resource('canned-answers', {
  description:
    'What staff answers often, in both languages, for tickets of a department or of all. Staff alone reads them, its administrators write them. `{first_name}`, `{number}` and `{my_name}` are filled in by whoever inserts one.',
  attributes: {
    /** What staff finds it by. */
    title: line(80, { required: fault('name_required') }),
    /** Markdown, as a message has it. */
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

import * as z from 'zod/mini'
import { line, stamps, text } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { ticketPriorities } from '../rules/tickets/ticket-limits.ts'
import { ticketTags } from '../rules/tickets/ticket-tags.ts'
import { longestMessage } from './tickets.ts'

const body = text(longestMessage, { required: fault('message_required') })

/**
 * The placeholders of an answer: the client's first name, the ticket's number, and the staff member. The
 * browser fills them in.
 */
export const answerBlanks = ['first_name', 'number', 'my_name'] as const

export const cannedAnswers = resource('canned-answers', {
  description:
    'A reusable answer of staff, in both languages, for tickets of a department or of all. Only staff read them, and administrators write them. The client fills in `{first_name}`, `{number}` and `{my_name}` when one is inserted. One that also sets something is a macro, which `runMacro` of a ticket sends.',
  attributes: {
    /** The title by which staff finds it. */
    title: line(80, { required: fault('name_required') }),
    /** Markdown, like a message. */
    body_en: body,
    body_ro: body,
    /** The changes of its macro: the priority, or null; being on hold; tags that are added; and the department `moveTo`. */
    priority: z.optional(z.nullable(z.literal(ticketPriorities))),
    hold: z.optional(z.boolean()),
    tags: z.optional(ticketTags),
    ...stamps,
  },
  relationships: {
    ticketDepartment: toOne('ticket-departments', { nullable: true }),
    moveTo: toOne('ticket-departments', { nullable: true }),
  },
  create: ['title', 'body_en', 'body_ro', 'priority', 'hold', 'tags', 'ticketDepartment', 'moveTo'],
  update: ['title', 'body_en', 'body_ro', 'priority', 'hold', 'tags', 'ticketDepartment', 'moveTo'],
  delete: true,
  sorts: ['title', 'createdAt'],
})

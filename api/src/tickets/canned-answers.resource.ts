import { cannedAnswers } from '@portico/contract/resources/canned-answers.ts'
import { sql } from 'kysely'
import { reason } from '#platform/errors/problem.ts'
import { nobody, type Rule } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'

/** Clients see answers, not the templates. */
const staffReads: Rule<'canned_answers'> = { ...nobody, table: 'canned_answers', staff: () => sql`true` }

/** Administrators write the templates of all staff. */
const adminsWrite: Rule<'canned_answers'> = {
  ...nobody,
  table: 'canned_answers',
  staff: ({ role }) => sql`${role} = 'admin'`,
  roles: ['admin'],
  refusal: () => reason('canned_answers_admins_only'),
}

export default serve(cannedAnswers, {
  table: 'canned_answers',
  routine: true,
  policy: { read: staffReads, create: adminsWrite, update: adminsWrite, delete: adminsWrite },
  columns: { tags: () => sql`to_jsonb(canned_answers.tags)` },
  relationships: { ticketDepartment: 'ticket_department_id', moveTo: 'move_to_id' },
  order: 'title',
  constraints: {
    canned_answers_once: { field: 'title', refusal: reason('canned_answer_title_taken') },
  },
})

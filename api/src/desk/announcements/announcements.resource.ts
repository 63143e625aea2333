import { announcements } from '@portico/contract/resources/announcements.ts'
import { sql } from 'kysely'
import { reason } from '#platform/errors/problem.ts'
import { anybody } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { allStaff, staffAlone } from '#staff/roles.ts'
import { announce, currentAnnouncements, endAnnouncement } from './announce.ts'
import { countRecipients, requestLetters } from './letters.ts'

const admins = staffAlone('admin')

export default serve(announcements, {
  table: 'announcements',
  policy: {
    read: admins,
    current: { ...anybody, roles: allStaff },
    recipients: admins,
    announce: admins,
    sendLetters: admins,
    end: admins,
  },
  columns: {
    audience: () => sql`case when announcements.panel_engine_id is not null then 'engine'
      when announcements.plan_id is not null then 'plan' else 'all' end`,
    of: () => sql`coalesce((select e.code from panel_engines e where e.id = announcements.panel_engine_id),
      (select p.code from plans p where p.id = announcements.plan_id))`,
  },
  order: '-starts_at',
  actions: {
    current: currentAnnouncements,
    recipients: countRecipients,
    announce,
    sendLetters: (context, { row }) => requestLetters(context, row.id),
    end: endAnnouncement,
  },
  constraints: {
    announcements_end_after_start: { field: 'ends_at', refusal: reason('announcement_end') },
  },
})

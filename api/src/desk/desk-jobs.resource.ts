import { deskJobs } from '@portico/contract/resources/desk-jobs.ts'
import { sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { staffAlone } from '#staff/roles.ts'
import { dropJob, retryJob } from './verbs/jobs.ts'

const state = sql`case when desk_jobs.locked_at is not null then 'running'
  when desk_jobs.attempts >= desk_jobs.most_attempts then 'failed' else 'waiting' end`

export default serve(deskJobs, {
  table: 'desk_jobs',
  ofStaff: true,
  policy: {
    read: staffAlone('support', 'admin', 'readonly'),
    retry: staffAlone('admin'),
    drop: staffAlone('admin'),
  },
  columns: { state: () => state },
  filters: { state: (_, value) => sql`(${state}) = ${value}`, task: 'task' },
  order: '-updatedAt',
  actions: { retry: retryJob, drop: dropJob },
})

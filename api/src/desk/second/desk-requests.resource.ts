import { deskRequests } from '@portico/contract/resources/desk-requests.ts'
import { sql } from 'kysely'
import { reason } from '#platform/errors/problem.ts'
import { nobody, type Rule } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { staffAlone } from '#staff/roles.ts'
import { ask } from './ask.ts'
import { approve, decline, withdraw } from './decide.ts'
import { ownAfter } from './people.ts'
import { preview } from './preview.ts'

/** Administrators, about the requests of others. */
const others: Rule<'staff_requests'> = {
  ...nobody,
  table: 'staff_requests',
  staff: ({ id, role }) => sql`(${role} = 'admin' and staff_requests.asked_by <> ${id})`,
  refusal: () => reason('request_own'),
}

const state = sql`coalesce(staff_requests.decision,
  case when staff_requests.ends_at <= now() then 'expired' else 'open' end)`

const name = (of: 'asked_by' | 'decided_by') => () =>
  sql`(select a.display_name from admins a where a.id = ${
    of === 'asked_by'
      ? sql`staff_requests.asked_by`
      : sql`case staff_requests.decision when 'withdrawn' then staff_requests.asked_by
          else coalesce(staff_requests.approved_by, staff_requests.declined_by) end`
  })`

const isOpen = (_: unknown, { decision }: { readonly decision: string | null }) => decision === null

export default serve(deskRequests, {
  table: 'staff_requests',
  ofStaff: true,
  policy: {
    read: {
      ...nobody,
      table: 'staff_requests',
      staff: ({ id, role }) => sql`(${role} = 'admin' or staff_requests.asked_by = ${id})`,
    },
    ask: staffAlone('support', 'billing', 'admin'),
    preview: staffAlone('support', 'billing', 'admin'),
    approve: {
      ...others,
      staff: ({ id, role }) => sql`(${role} = 'admin' and (staff_requests.asked_by <> ${id} or ${ownAfter}))`,
    },
    decline: others,
    withdraw: {
      ...others,
      staff: ({ id }) => sql`staff_requests.asked_by = ${id}`,
      refusal: () => reason('forbidden'),
    },
  },
  may: { approve: isOpen, decline: isOpen, withdraw: isOpen },
  columns: { state: () => state, asked_by_name: name('asked_by'), decided_by_name: name('decided_by') },
  filters: { state: (_, value) => sql`(${state}) = ${value}` },
  order: '-createdAt',
  actions: { ask, preview, approve, decline, withdraw },
})

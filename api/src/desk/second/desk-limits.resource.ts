import { deskLimits } from '@portico/contract/resources/desk-limits.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { staffAlone } from '#staff/roles.ts'
import { assertSecond } from './assert-second.ts'

type Given = {
  readonly row: RowOf<'staff_limits'>
  readonly input: z.output<typeof deskLimits.actions.setLimits.input>
}

/** Changes a limit. Throws `recent_sign_in_required`, `second_person_required`, `limit_day_below_action`. */
async function setLimits(context: Context, { row, input: { per_action, per_day } }: Given) {
  assertRecentSignIn(context)
  assertSecond(context)
  if (per_day < per_action)
    throw refuse('limit_day_below_action', {}, { source: { pointer: '/data/per_day' } })
  await context.tx
    .updateTable('staff_limits')
    .set({ per_action: String(per_action), per_day: String(per_day) })
    .where('id', '=', row.id)
    .execute()
  return { per_action, per_day }
}

export default serve(deskLimits, {
  table: 'staff_limits',
  ofStaff: true,
  policy: { read: staffAlone('admin'), setLimits: staffAlone('admin') },
  columns: { currency: () => sql`(select coalesce((select base_currency from operator_profile), 'EUR'))` },
  order: 'verb',
  actions: { setLimits },
})

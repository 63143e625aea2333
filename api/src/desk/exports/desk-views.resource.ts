import { deskViews, mostViews } from '@portico/contract/resources/desk-views.ts'
import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { reason, refuse } from '#platform/errors/problem.ts'
import { nobody, type Rule } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { allStaff, staffAlone } from '#staff/roles.ts'

const own: Rule<'desk_views'> = {
  ...nobody,
  table: 'desk_views',
  staff: ({ id }) => sql`desk_views.admin_id = ${id}`,
  roles: allStaff,
}

/** The member of staff who keeps a view. Throws `views_most`. */
async function keeper({ tx, actor: { staff } }: Pick<Context, 'tx' | 'actor'>): Promise<number> {
  if (staff === undefined) throw new Error('The policy lets staff alone through.')
  // Concurrent views of one person are counted one after the other.
  await tx.selectFrom('admins').select('id').where('id', '=', staff.id).forNoKeyUpdate().execute()
  const kept = await tx.selectFrom('desk_views').select('id').where('admin_id', '=', staff.id).execute()
  if (kept.length >= mostViews) throw refuse('views_most', { most: mostViews })
  return staff.id
}

export default serve(deskViews, {
  table: 'desk_views',
  ofStaff: true,
  routine: true,
  policy: { read: own, create: staffAlone(...allStaff), delete: own },
  fill: async (context) => ({ admin_id: await keeper(context) }),
  spread: { filter: (filter) => ({ filter: JSON.stringify(filter) }) },
  constraints: { desk_views_named: { field: 'name', refusal: reason('view_name_taken') } },
  order: 'name',
})

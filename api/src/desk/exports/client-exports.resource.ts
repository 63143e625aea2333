import { clientExports } from '@portico/contract/resources/client-exports.ts'
import { sql } from 'kysely'
import { isListed } from '#desk/client-conditions.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { staffAlone } from '#staff/roles.ts'

export default serve(clientExports, {
  table: 'client_exports',
  ofStaff: true,
  policy: { read: staffAlone('admin'), create: staffAlone('admin') },
  columns: {
    exported_by: () => sql`(select a.display_name from admins a where a.id = client_exports.admin_id)`,
  },
  fill: async (context) => {
    const { tx, actor, sent } = context
    if (actor.staff === undefined) throw new Error('The policy lets staff alone through.')
    assertRecentSignIn(context)
    const { count } = await tx
      .selectFrom('clients')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(isListed(sent.filter ?? {}))
      .executeTakeFirstOrThrow()
    return { admin_id: actor.staff.id, count }
  },
  spread: { filter: (filter) => ({ filter: JSON.stringify(filter) }) },
  order: '-createdAt',
})

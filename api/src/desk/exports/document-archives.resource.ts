import { documentArchives, mostArchived } from '@portico/contract/resources/document-archives.ts'
import { sql } from 'kysely'
import { assertPeriod } from '#money/exports/export-period.ts'
import type { Database } from '#platform/db/pool.ts'
import { reason, refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { nobody, type Rule } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { moneyStaff } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { archivedDocuments } from './pack-documents.ts'

const source = { pointer: '/data/attributes/to_day' }

const mostInADay = 10

const own: Rule<'document_archives'> = {
  ...nobody,
  table: 'document_archives',
  staff: ({ id }) => sql`document_archives.admin_id = ${id}`,
  roles: moneyStaff.roles,
}

/** Throws `archives_in_a_day` for the eleventh archive of a member of staff within a day. */
async function assertFew(tx: Database, adminId: number): Promise<void> {
  // Concurrent archives of one person are counted one after the other.
  await tx.selectFrom('admins').select('id').where('id', '=', adminId).forNoKeyUpdate().execute()
  const lately = await tx
    .selectFrom('document_archives')
    .select('id')
    .where('admin_id', '=', adminId)
    .where('created_at', '>', sql<string>`now() - interval '1 day'`)
    .execute()
  if (lately.length >= mostInADay)
    throw refuse('archives_in_a_day', { most: mostInADay }, { headers: { 'retry-after': '3600' } })
}

export default serve(documentArchives, {
  table: 'document_archives',
  ofStaff: true,
  policy: { read: own, create: staffAlone(...moneyStaff.roles) },
  fill: async (context) => {
    const { tx, actor, sent } = context
    const { from_day = '', to_day = '', format = 'pdf' } = sent
    if (actor.staff === undefined) throw new Error('The policy lets staff alone through.')
    assertRecentSignIn(context)
    await assertFew(tx, actor.staff.id)
    assertPeriod(from_day, to_day, { source })
    const { total } = await archivedDocuments(tx, { from_day, to_day, format })
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    if (total === 0) throw refuse('archive_empty', {}, { source })
    if (total > mostArchived) throw refuse('archive_most', { most: mostArchived }, { source })
    return { admin_id: actor.staff.id, total }
  },
  constraints: { document_archives_once: { field: 'from_day', refusal: reason('archive_running') } },
  created: async ({ tx }, { id }) => {
    await enqueue(tx, 'desk.archive', { archiveId: id }, { attempts: 3 })
  },
  order: '-createdAt',
})

import { documentArchives, mostArchived } from '@portico/contract/resources/document-archives.ts'
import { sql } from 'kysely'
import { assertPeriod } from '#money/exports/export-period.ts'
import { reason, refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { archivedDocuments } from './pack-documents.ts'

const source = { pointer: '/data/attributes/to_day' }

export default serve(documentArchives, {
  table: 'document_archives',
  ofStaff: true,
  routine: true,
  policy: { read: staffAlone(...moneyStaff.roles), create: staffAlone(...moneyStaff.roles) },
  columns: {
    exported_by: () => sql`(select a.display_name from admins a where a.id = document_archives.admin_id)`,
  },
  fill: async ({ tx, actor: { staff }, sent: { from_day = '', to_day = '', format = 'pdf' } }) => {
    if (staff === undefined) throw new Error('The policy lets staff alone through.')
    assertPeriod(from_day, to_day, { source })
    const { total } = await archivedDocuments(tx, { from_day, to_day, format })
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    if (total === 0) throw refuse('archive_empty', {}, { source })
    if (total > mostArchived) throw refuse('archive_most', { most: mostArchived }, { source })
    return { admin_id: staff.id, total }
  },
  constraints: { document_archives_once: { field: 'from_day', refusal: reason('archive_running') } },
  created: async ({ tx }, { id }) => {
    await enqueue(tx, 'desk.archive', { archiveId: id }, { attempts: 3 })
  },
  order: '-createdAt',
})

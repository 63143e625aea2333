import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'

/** Page size of the invitations. */
const membersAtOnce = 100

/** All invitations, newest first, with their permissions. */
export function invitationsQuery(number = 1) {
  const asked = list('share-invitations', {
    include: ['permission'],
    sort: '-createdAt',
    page: { size: membersAtOnce, number },
  })
  // The query has no type: its failure is shown in place of the list and not in a dialog too.
  return { ...asked, meta: {} }
}

export type Invitation = Row<'share-invitations', 'permission'>

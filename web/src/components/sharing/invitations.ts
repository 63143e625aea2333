import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'

/** So many are read at once; whoever shares with more people asks for more. */
const membersAtOnce = 100

/** Everybody who was invited, the newest first, with what is opened to each. */
export function invitationsQuery(number = 1) {
  const asked = list('share-invitations', {
    include: ['permission'],
    sort: '-createdAt',
    page: { size: membersAtOnce, number },
  })
  // Without its type: a failure is said where the list would stand, in the seed's words (section 8), and not by a dialog too.
  return { ...asked, meta: {} }
}

export type Invitation = Row<'share-invitations', 'permission'>

import { list } from './query.ts'

const { meta, ...asked } = list('share-invitations', {
  filter: { accepted: 'false' },
  page: { size: 1 },
})
/** Whether somebody has not answered yet. Without its type: nobody has asked for this list, so it fails without a word. */
export const waitingQuery = { ...asked, meta: { path: meta?.path } }

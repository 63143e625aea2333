import { list } from './query.ts'

/** Whether somebody has not answered yet. Without its type: nobody has asked for this list, so it fails without a word. */
export const waitingQuery = {
  ...list('share-invitations', { filter: { accepted: 'false' }, page: { size: 1 } }),
  meta: {},
}

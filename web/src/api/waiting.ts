import { list } from './query.ts'

/** Whether somebody has not answered yet. */
export const waitingQuery = list('share-invitations', {
  filter: { accepted: 'false' },
  page: { size: 1 },
})

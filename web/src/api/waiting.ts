import { list } from './query.ts'

/** Whether an invitation is pending. The query has no type, because a background poll must fail silently. */
export const waitingQuery = {
  ...list('share-invitations', { filter: { accepted: 'false' }, page: { size: 1 } }),
  meta: {},
}

import { QueryCache, QueryClient } from '@tanstack/react-query'
import { reportListFailure } from '../stores/list-failure.ts'
import { Failure } from './failure.ts'

/** Repeats what may be a passing fault; what the server has refused stays refused, and documents stay unavailable for longer. */
const worthRepeating = (count: number, error: Error) =>
  count < 2 &&
  error instanceof Failure &&
  (error.status === 0 || error.status >= 500) &&
  !error.awaitsDocuments

/** What the server said, kept for the whole portal. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      const type = query.meta?.type
      // What was asked before it was known that staff lack their second factor: the page they are led to says it.
      if (
        error instanceof Failure &&
        error.errors.some(({ code }) => code === 'staff_second_factor_required')
      )
        return
      // Without any answer the offline banner speaks; what is not there is said by the page in its place; a poll that
      // fails over rows that are shown stays quiet.
      const answered = error instanceof Failure && error.errors.length > 0 && error.status !== 404
      if (answered && typeof type === 'string' && query.state.data === undefined) {
        reportListFailure({ type, details: error.details })
      }
    },
  }),
  defaultOptions: {
    queries: { staleTime: 5_000, retry: worthRepeating, retryDelay: (count) => 500 * 2 ** count },
    mutations: { retry: false },
  },
})

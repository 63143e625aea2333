import { QueryCache, QueryClient } from '@tanstack/react-query'
import { reportListFailure } from '../stores/list-failure.ts'
import { Failure } from './failure.ts'

/**
 * Retries faults that may pass. A refusal of the server is final, and documents stay unavailable for longer.
 */
const worthRepeating = (count: number, error: Error) =>
  count < 2 &&
  error instanceof Failure &&
  (error.status === 0 || error.status >= 500) &&
  !error.awaitsDocuments

/** Caches the server's responses for the whole portal. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      const type = query.meta?.type
      // This request was sent before the browser knew that staff lack their second factor; the page they are
      // redirected to says so.
      if (
        error instanceof Failure &&
        error.errors.some(({ code }) => code === 'staff_second_factor_required')
      )
        return
      // Shows no toast when no response came (the offline banner shows that), for 404 (the page shows it in
      // place), and for a failed poll whose rows are still on screen.
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

import { useRouterState } from '@tanstack/react-router'

/** The queue that a ticket was opened from: the tickets that it showed, in its order, and its filters for the way back. */
type Queue = { readonly ids: readonly number[]; readonly search: Readonly<Record<string, unknown>> }

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** It is in the history of the window, so that it survives a reload and its order stays while tickets move. */
    queue?: Queue
  }
}

/** The queue that the open ticket was reached from; undefined after a link from elsewhere. */
export const useQueue = (): Queue | undefined =>
  useRouterState({ select: ({ location }) => location.state.queue })

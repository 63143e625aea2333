import { store } from './store.ts'

/** A list that failed to load, which is shown in a warning dialog. */
export type ListFailure = { type: string; details: string }

const current = store<ListFailure | undefined>(undefined)

/** Shows the dialog, unless one is open: lists of one page mostly fail for the same reason. */
export const reportListFailure = (failure: ListFailure): void => current.set(current.get() ?? failure)
export const dismissListFailure = (): void => current.set(undefined)
export const useListFailure = current.use

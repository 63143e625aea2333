import { store } from './store.ts'

/** A list that could not be read: the seed answers it with a warning dialog (section 8). */
export type ListFailure = { type: string; details: string }

const current = store<ListFailure | undefined>(undefined)

/** Shows the dialog, unless one is open: several lists of one page mostly fail for one reason. */
export const reportListFailure = (failure: ListFailure): void => current.set(current.get() ?? failure)
export const dismissListFailure = (): void => current.set(undefined)
export const useListFailure = current.use

import { store } from './store.ts'

/**
 * What was typed and not saved, by the name of its form. Outside of React, because another language mounts every form
 * anew; in memory only, because it may be anything.
 */
const drafts = store<ReadonlyMap<string, unknown>>(new Map())

export const draftOf = (form: string): unknown => drafts.get().get(form)

export const keepDraft = (form: string, values: unknown): void =>
  drafts.set(new Map(drafts.get()).set(form, values))

export function dropDraft(form: string): void {
  if (!drafts.get().has(form)) return
  drafts.set(new Map([...drafts.get()].filter(([name]) => name !== form)))
}

/** The person leaves without saving. */
export const dropDrafts = (): void => drafts.set(new Map())

/** Whether something of this form is not saved. */
export const useIsUnsaved = (form: string): boolean => drafts.use().has(form)

/** Whether anything is. */
export const useHasUnsaved = (): boolean => drafts.use().size > 0

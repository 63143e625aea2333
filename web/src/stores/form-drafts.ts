import { store } from './store.ts'

/**
 * Unsaved input by the name of its form. It is outside of React, because a new language remounts every form,
 * and in memory only, because it may be confidential.
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
export const dropFormDrafts = (): void => drafts.set(new Map())

/** Whether this form has unsaved input. */
export const useIsUnsaved = (form: string): boolean => drafts.use().has(form)

/** Whether any form has unsaved input. */
export const useHasUnsaved = (): boolean => drafts.use().size > 0

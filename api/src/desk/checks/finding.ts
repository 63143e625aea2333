/** A sentence for the operator, in the languages of the desk. */
export type Words = { readonly en: string; readonly ro: string }

/**
 * `stop`: no money can be taken, or nobody can be served. `warn` has to be repaired, `hint` may be intended.
 */
export type FindingState = 'good' | 'hint' | 'warn' | 'stop'

/** The result of one check, with what to do unless it is good. */
export type Finding = {
  readonly state: FindingState
  readonly about: string
  readonly words: Words
}

const finding =
  (state: FindingState) =>
  (about: string, en: string, ro: string): Finding => ({ state, about, words: { en, ro } })

export const good = finding('good')
export const hint = finding('hint')
export const warn = finding('warn')
export const stop = finding('stop')

/** The result of one check: a sentence for the operator, with what to do unless it is good. */
export type Finding = {
  /** `wrong` has to be repaired before people use the portal; `note` may be intended. */
  readonly state: 'good' | 'note' | 'wrong'
  readonly about: string
  readonly sentence: string
}

export const good = (about: string, sentence: string): Finding => ({ state: 'good', about, sentence })
export const note = (about: string, sentence: string): Finding => ({ state: 'note', about, sentence })
export const wrong = (about: string, sentence: string): Finding => ({ state: 'wrong', about, sentence })

const words = { good: 'ok', note: 'note', wrong: 'WRONG' } as const

/** A finding as one line of the terminal. */
export const lineOf = ({ state, about, sentence }: Finding): string =>
  `${words[state].padEnd(6)} ${about}: ${sentence}`

/** The message of a failure without its line breaks. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const text = error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
}

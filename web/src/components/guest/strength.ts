import { shortestPassword } from '@portico/contract/rules/password-lengths.ts'

/** The strength of a password by its form; only the server knows whether it is a common one. */
export type Strength =
  | { kind: 'short'; missing: number }
  | { kind: 'guessable' }
  | { kind: 'good' }
  | { kind: 'strong' }

/** Length that is sufficient by itself. */
const long = 16
/** Fewer distinct characters are a repetition, whatever the length. */
const fewest = 5
/** Shorter names occur in many words by chance. */
const shortestName = 4

/** `about`: known facts about the person, such as names and the e-mail. */
export function strengthOf(password: string, about: readonly string[]): Strength {
  const characters = [...password]
  if (characters.length < shortestPassword)
    return { kind: 'short', missing: shortestPassword - characters.length }
  const lower = password.toLowerCase()
  const names = about.flatMap((text) => text.toLowerCase().split(/[\s@.]+/))
  const hasName = names.some((name) => name.length >= shortestName && lower.includes(name))
  if (hasName || new Set(characters).size < fewest) return { kind: 'guessable' }
  return { kind: characters.length >= long ? 'strong' : 'good' }
}

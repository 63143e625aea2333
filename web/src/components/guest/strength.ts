import { shortestPassword } from '@portico/contract/rules/password-lengths.ts'

/** How long it would hold, as far as its form tells; whether it is a common one only the server knows. */
export type Strength =
  | { kind: 'short'; missing: number }
  | { kind: 'guessable' }
  | { kind: 'good' }
  | { kind: 'strong' }

/** Characters from which length alone is enough. */
const long = 16
/** Fewer different ones than this are a repetition, whatever the length. */
const fewest = 5
/** Shorter names are in many words by chance. */
const shortestName = 4

/** `about`: what others know of the person, such as names and the e-mail. */
export function strengthOf(password: string, about: readonly string[]): Strength {
  const characters = [...password]
  if (characters.length < shortestPassword)
    return { kind: 'short', missing: shortestPassword - characters.length }
  const lower = password.toLowerCase()
  const names = about.flatMap((text) => text.toLowerCase().split(/[\s@.]+/))
  const told = names.some((name) => name.length >= shortestName && lower.includes(name))
  if (told || new Set(characters).size < fewest) return { kind: 'guessable' }
  return { kind: characters.length >= long ? 'strong' : 'good' }
}

import { refuse } from '#platform/errors/problem.ts'

/** Personal data of the person who chooses a password, which an attacker knows too. */
export type Person = { readonly email: string; readonly names: readonly (string | null)[] }

// zxcvbn rates 3 of 4 as "safely unguessable": at least 10^8 guesses, also offline against a stolen hash.
const least = 3

// The estimate gets slower with length: 180 ms for 128 adversarial characters, 4 ms for this many, with few
// readings of "p4$$word". A longer password is good when either of its ends is.
const looked = 40

// Two-letter names occur in half of all words.
const shortestName = 3
const shortestRest = 8

/** Loads the list of 49,000 common passwords on first use: it takes 27 MB and a third of a second. */
async function loadCheck() {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: 20 })
}

let loading: ReturnType<typeof loadCheck> | undefined

function check(): ReturnType<typeof loadCheck> {
  loading ??= loadCheck()
  return loading
}

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The words of a person: whole names and addresses, and their parts. */
function wordsOf({ email, names }: Person): string[] {
  const whole = ['portico', email, ...names].filter((name) => name !== null).map(plain)
  const parts = whole.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u))
  // Longest first, so that no rest of a name remains after its part is removed.
  return [...new Set([...whole, ...parts])]
    .filter(({ length }) => length >= shortestName)
    .sort((a, b) => b.length - a.length)
}

/** Whether little remains of a password after the personal words are removed. */
function isPersonal(password: string, words: readonly string[]): boolean {
  const said = plain(password)
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), said)
  return rest !== said && rest.length < shortestRest
}

const atPassword = { source: { pointer: '/password' } }

/**
 * Refuses a password that attackers try first: common ones and their variations, keyboard rows, dates, and
 * personal data. Throws `password_personal` or `password_common` at `/password`.
 */
export async function assertStrong(password: string, person: Person): Promise<void> {
  const words = wordsOf(person)
  if (isPersonal(password, words)) throw refuse('password_personal', {}, atPassword)
  const zxcvbn = await check()
  const characters = [...password]
  const ends = new Set([characters.slice(0, looked), characters.slice(-looked)].map((end) => end.join('')))
  for (const end of ends) if (zxcvbn.check(end, words).score >= least) return
  throw refuse('password_common', {}, atPassword)
}

import { createHash, createHmac, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { refuse } from '#platform/errors/problem.ts'

// OWASP's recommendation for argon2id, which is the library's algorithm unless told otherwise.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// One core fewer than there are: whoever reads meanwhile must not wait behind a crowd that signs in.
const inTurn = pLimit(Math.max(1, availableParallelism() - 1))
const mostWaiting = 200

// No password has this hash. Checking one against it takes as long as against a real one.
const nobodys = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${unpadded(16)}$${unpadded(32)}`

function unpadded(bytes: number): string {
  return randomBytes(bytes).toString('base64').replaceAll('=', '')
}

async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  if (inTurn.pendingCount >= mostWaiting)
    throw refuse('sign_in_busy', {}, { headers: { 'retry-after': '2' } })
  return inTurn(work)
}

// One character can be typed as one code point or as a letter and its accent: the same password on every keyboard.
const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'))

/** The hash a password is stored as: argon2id, in PHC form. */
export function hashPassword(password: string): Promise<string> {
  return whenFree(() => hash(bytesOf(password), cost))
}

/** Whether this is the password. Without a hash (nobody there, or no password set) it is not, after the same time. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const matches = await whenFree(() => verify(stored ?? nobodys, bytesOf(password)))
  return matches && stored != null
}

/** A secret of 256 bits to hand out; only its hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Whether a text has the form of `newToken`. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

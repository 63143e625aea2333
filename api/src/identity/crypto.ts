import { createHash, createHmac, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { refuse } from '#platform/errors/problem.ts'

// OWASP's recommendation for argon2id, the library's default algorithm.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// One core fewer than available, so that a wave of sign-ins does not block other requests.
const inTurn = pLimit(Math.max(1, availableParallelism() - 1))
const mostWaiting = 200

// No password has this hash. Verifying against it takes as long as against a real one.
const dummyHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${unpadded(16)}$${unpadded(32)}`

function unpadded(bytes: number): string {
  return randomBytes(bytes).toString('base64').replaceAll('=', '')
}

async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  if (inTurn.pendingCount >= mostWaiting)
    throw refuse('sign_in_busy', {}, { headers: { 'retry-after': '2' } })
  return inTurn(work)
}

// NFKC: the same character typed as one code point or as a letter with a combining accent gives the same
// password.
const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'))

/** The stored hash of a password: argon2id, in PHC form. */
export function hashPassword(password: string): Promise<string> {
  return whenFree(() => hash(bytesOf(password), cost))
}

/**
 * Whether the password is correct. Without a hash (unknown account, or no password set) it is false, after
 * the same time.
 */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const matches = await whenFree(() => verify(stored ?? dummyHash, bytesOf(password)))
  return matches && stored != null
}

/** A secret of 256 bits; only its hash is stored. */
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

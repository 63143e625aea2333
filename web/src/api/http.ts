import * as addresses from '@portico/contract/calls/addresses.ts'
import { mediaType } from '@portico/contract/wire.ts'
import { confirmIdentity } from '../stores/identity-check.ts'
import { accessToken, loseSession } from '../stores/session.ts'
import { asFailure, Failure, failureOf } from './failure.ts'
import { refresh } from './refresh.ts'

export type Request = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  body?: unknown
  signal?: AbortSignal | undefined
  /** What the answer is to be, where that is no JSON. */
  accept?: string
  /** Says that this is the same write once more, which the server then does not do again. */
  key?: string | undefined
}

function headers(token: string | undefined, { body, key }: Request, accept: string): Headers {
  const given = new Headers({ accept })
  if (token !== undefined) given.set('authorization', `Bearer ${token}`)
  if (body !== undefined) given.set('content-type', accept)
  if (key !== undefined) given.set('idempotency-key', key)
  return given
}

/** These ask who somebody is, so a 401 is about what was typed and not about the token that is there. */
const provesWho: readonly string[] = [
  addresses.login.path,
  addresses.loginTwoFactor.path,
  addresses.passkeyVerify.path,
]

/** An answer, and the token it was asked with. */
export type Sent = { token: string | undefined; response: Response }

async function send(path: string, request: Request): Promise<Sent> {
  const token = provesWho.includes(path) ? undefined : accessToken()
  const { method = 'GET', body, signal = null } = request
  const accept = request.accept ?? (path.startsWith('/api/v1/') ? mediaType : 'application/json')
  const response = await fetch(path, {
    method,
    signal,
    headers: headers(token, request, accept),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { token, response }
}

/** The answer to a call; after a 401 `again` sends it once more, with a token that was refreshed. */
export async function withFreshToken(first: Sent, again: () => Promise<Sent>): Promise<Response> {
  // Without a token there is nothing to refresh: the server says no to the person, not to an old token.
  if (first.response.status !== 401 || first.token === undefined) return first.response
  await refresh(first.token).catch((error: unknown) => {
    if (error instanceof Failure && error.status === 401) loseSession()
    throw error
  })
  const second = await again()
  if (second.response.status === 401) loseSession()
  return second.response
}

async function sendTwice(path: string, request: Request): Promise<Response> {
  const again = () => send(path, request)
  return withFreshToken(await again(), again)
}

/** The answer as it comes, for who reads it piece by piece. Throws a `Failure` when the server says no, and nothing else. */
export async function answer(path: string, request: Request): Promise<Response> {
  try {
    const response = await sendTwice(path, request)
    if (!response.ok) throw await failureOf(response)
    return response
  } catch (error) {
    throw asFailure(error)
  }
}

async function ask(path: string, request: Request): Promise<unknown> {
  const response = await answer(path, request)
  if (response.status === 204) return undefined
  return await response.json().catch((error: unknown) => {
    throw asFailure(error)
  })
}

/**
 * Calls the server: one refresh and one retry after a 401 (seed, section 4). Where a recent sign-in is required the person
 * is asked to confirm who they are, and the same call is made once more. Throws a `Failure`, and nothing else.
 */
export async function http(path: string, request: Request = {}): Promise<unknown> {
  try {
    return await ask(path, request)
  } catch (error) {
    if (!(error instanceof Failure) || !error.wantsRecentSignIn || !(await confirmIdentity())) throw error
    return await ask(path, request)
  }
}

import * as addresses from '@portico/contract/calls/addresses.ts'
import { mediaType } from '@portico/contract/wire.ts'
import { confirmIdentity } from '../stores/identity-check.ts'
import { accessToken, loseSession } from '../stores/session.ts'
import { asFailure, Failure, failureOf } from './failure.ts'
import { refresh } from './refresh.ts'
import { newTrace, traceparent } from './trace.ts'

export type Request = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  body?: unknown
  signal?: AbortSignal | undefined
  /** The expected media type, where it is not JSON. */
  accept?: string
  /** How the browser's own cache is used. */
  cache?: RequestCache
  /** Further headers. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Idempotency key: the server performs a repeated write with the same key only once. */
  key?: string | undefined
}

type Traced = Request & { readonly trace: string }

function headers(token: string | undefined, { body, key, headers, trace }: Traced, accept: string): Headers {
  const given = new Headers({ accept, traceparent: traceparent(trace), ...headers })
  if (token !== undefined) given.set('authorization', `Bearer ${token}`)
  if (body !== undefined) given.set('content-type', accept)
  if (key !== undefined) given.set('idempotency-key', key)
  return given
}

/** These calls check credentials, so a 401 is about the typed values and not about the access token. */
const provesWho: readonly string[] = [
  addresses.login.path,
  addresses.loginTwoFactor.path,
  addresses.passkeyVerify.path,
]

/** A response, and the token of its request. */
export type Sent = { token: string | undefined; response: Response }

async function send(path: string, request: Traced): Promise<Sent> {
  const token = provesWho.includes(path) ? undefined : accessToken()
  const { method = 'GET', body, signal = null, cache = 'default' } = request
  const accept = request.accept ?? (path.startsWith('/api/v1/') ? mediaType : 'application/json')
  const response = await fetch(path, {
    method,
    signal,
    cache,
    headers: headers(token, request, accept),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { token, response }
}

/** Returns the response to a call; after a 401 it refreshes the token and calls `again` once. */
export async function withFreshToken(first: Sent, again: () => Promise<Sent>): Promise<Response> {
  // Without a token there is nothing to refresh: the 401 is about the person, not about an expired token.
  if (first.response.status !== 401 || first.token === undefined) return first.response
  // A view is over, and its request is not repeated by the session of the member of staff.
  if (first.token.startsWith('pv_')) {
    loseSession()
    return first.response
  }
  await refresh(first.token).catch((error: unknown) => {
    if (error instanceof Failure && error.status === 401) loseSession()
    throw error
  })
  const second = await again()
  if (second.response.status === 401) loseSession()
  return second.response
}

async function sendTwice(path: string, request: Traced): Promise<Response> {
  const again = () => send(path, request)
  return withFreshToken(await again(), again)
}

/**
 * The raw response, for callers that read the body as a stream. Throws only a `Failure`, when the server
 * refuses.
 */
export async function answer(path: string, request: Request): Promise<Response> {
  const trace = newTrace()
  try {
    const response = await sendTwice(path, { ...request, trace })
    if (!response.ok) throw await failureOf(response, trace)
    return response
  } catch (error) {
    throw asFailure(error, trace)
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
 * Calls the server, with one refresh and one retry after a 401. When a recent sign-in is required, it asks
 * the person to confirm their identity and repeats the call once. Throws only a `Failure`.
 */
export async function http(path: string, request: Request = {}): Promise<unknown> {
  try {
    return await ask(path, request)
  } catch (error) {
    if (!(error instanceof Failure) || !error.wantsRecentSignIn || !(await confirmIdentity())) throw error
    return await ask(path, request)
  }
}

import { mediaType } from '@portico/contract/wire.ts'
import { accessToken } from '../stores/session.ts'
import { asFailure, failureOf } from './failure.ts'
import { refresh } from './refresh.ts'

declare global {
  interface Window {
    /** What the script in the page has asked the server for already, by address. */
    __started?: Record<string, Promise<Response> | undefined>
  }
}

export type Request = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  body?: unknown
  signal?: AbortSignal | undefined
}

function headers(token: string | undefined, { body }: Request, accept: string): Headers {
  const given = new Headers({ accept })
  if (token !== undefined) given.set('authorization', `Bearer ${token}`)
  if (body !== undefined) given.set('content-type', accept)
  return given
}

function send(path: string, request: Request): Promise<Response> {
  const begun = window.__started?.[path]
  if (begun !== undefined && (request.method ?? 'GET') === 'GET') {
    // An answer is good for one use; the next one is asked for anew.
    delete window.__started?.[path]
    return begun
  }
  const { method = 'GET', body, signal = null } = request
  const accept = path.startsWith('/api/v1/') ? mediaType : 'application/json'
  return fetch(path, {
    method,
    signal,
    headers: headers(accessToken(), request, accept),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function sendTwice(path: string, request: Request): Promise<Response> {
  const token = accessToken()
  const first = await send(path, request)
  // Without a token there is nothing to refresh: the server says no to the person, not to an old token.
  if (first.status !== 401 || token === undefined) return first
  await refresh(token)
  return send(path, request)
}

/** Calls the server: one refresh and one retry after a 401 (seed, section 4). Throws a `Failure`, and nothing else. */
export async function http(path: string, request: Request = {}): Promise<unknown> {
  try {
    const response = await sendTwice(path, request)
    if (!response.ok) throw await failureOf(response)
    if (response.status === 204) return undefined
    return await response.json()
  } catch (error) {
    throw asFailure(error)
  }
}

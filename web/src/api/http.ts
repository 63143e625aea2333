import { mediaType } from '@portico/contract/wire.ts'
import { accessToken } from '../stores/session.ts'
import { asFailure, failureOf } from './failure.ts'
import { refresh } from './refresh.ts'

declare global {
  interface Window {
    /** What the script in the page has asked the server for already, by address. */
    __started?: { token: string | undefined; calls: Record<string, Promise<Response> | undefined> }
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

type Sent = { token: string | undefined; response: Response }

/** The answer to a call that the page's own script has begun, and the token it sent then. Good for one use. */
async function begun(path: string, { method = 'GET' }: Request): Promise<Sent | undefined> {
  const started = window.__started
  const answer = method === 'GET' ? started?.calls[path] : undefined
  if (!started || !answer) return undefined
  delete started.calls[path]
  return { token: started.token, response: await answer }
}

async function send(path: string, request: Request): Promise<Sent> {
  const token = accessToken()
  const { method = 'GET', body, signal = null } = request
  const accept = path.startsWith('/api/v1/') ? mediaType : 'application/json'
  const response = await fetch(path, {
    method,
    signal,
    headers: headers(token, request, accept),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { token, response }
}

async function sendTwice(path: string, request: Request): Promise<Response> {
  const first = (await begun(path, request)) ?? (await send(path, request))
  // Without a token there is nothing to refresh: the server says no to the person, not to an old token.
  if (first.response.status !== 401 || first.token === undefined) return first.response
  await refresh(first.token)
  return (await send(path, request)).response
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

import { isGenuine } from '../../example/signature.ts'
import type { Host } from '../host.ts'
import { Refusal, refusal } from '../refusal.ts'
import { type Answer, type Asked, type Call, parsed } from './calls.ts'
import * as contents from './contents.ts'
import { health } from './health.ts'
import * as panels from './panels.ts'

type Handler = (host: Host, call: Call) => Answer | Promise<Answer>

const routes: readonly (readonly [string, RegExp, Handler])[] = [
  ['GET', /^\/v1\/health$/, health],
  ['POST', /^\/v1\/checks$/, panels.check],
  ['GET', /^\/v1\/panels$/, panels.list],
  ['POST', /^\/v1\/panels$/, panels.create],
  ['GET', /^\/v1\/panels\/([^/]+)$/, panels.read],
  ['PATCH', /^\/v1\/panels\/([^/]+)$/, panels.rename],
  ['DELETE', /^\/v1\/panels\/([^/]+)$/, panels.remove],
  ['POST', /^\/v1\/panels\/([^/]+)\/suspend$/, panels.suspend],
  ['POST', /^\/v1\/panels\/([^/]+)\/unsuspend$/, panels.unsuspend],
  ['POST', /^\/v1\/panels\/([^/]+)\/plan$/, panels.plan],
  ['POST', /^\/v1\/panels\/([^/]+)\/adopt$/, panels.adopt],
  ['POST', /^\/v1\/panels\/([^/]+)\/release$/, panels.release],
  ['GET', /^\/v1\/panels\/([^/]+)\/resources$/, contents.resources],
  ['POST', /^\/v1\/panels\/([^/]+)\/servers\/([^/]+)\/power$/, contents.power],
  ['GET', /^\/v1\/panels\/([^/]+)\/series$/, contents.series],
  ['GET', /^\/v1\/panels\/([^/]+)\/audit$/, contents.audit],
  ['POST', /^\/v1\/panels\/([^/]+)\/sso$/, contents.sso],
  ['DELETE', /^\/v1\/panels\/([^/]+)\/subjects\/([^/]+)$/, contents.revoke],
]

/** Throws unless the portal signed the request, and it was not sent before. */
function believe({ settings, store }: Host, { method, target, headers, body }: Asked): void {
  const text = body === '' ? `${method} ${target}` : body
  if (!isGenuine(settings.secrets, text, headers))
    throw refusal(401, 'signature_invalid', 'This is not signed by the portal, or too old.')
  if (!store.isNew(headers['webhook-id'] ?? ''))
    throw refusal(409, 'repeated', 'This webhook-id was used before.')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw refusal(404, 'not_found', 'There is nothing here.')
  }
}

/** An id of ours and LXD's; what cannot be one is not looked for. */
const isId = (part: string) => /^[A-Za-z0-9][A-Za-z0-9_.~:@-]{0,127}$/.test(part)

function route(host: Host, { method, target, body }: Asked): Answer | Promise<Answer> {
  const { pathname, searchParams: query } = new URL(target, 'http://engine')
  for (const [verb, pattern, handler] of routes) {
    const found = verb === method ? pattern.exec(pathname) : null
    if (!found) continue
    const parts = found.slice(1).map(decoded)
    if (!parts.every(isId)) throw refusal(404, 'not_found', 'There is nothing here.')
    return handler(host, { parts, query, body: parsed(body) })
  }
  throw refusal(404, 'not_found', 'There is nothing here.')
}

/** Answers a call of the portal. What fails without a reason of ours is 503, which the portal asks again. */
export async function answerCall(host: Host, asked: Asked): Promise<Answer> {
  try {
    believe(host, asked)
    return await route(host, asked)
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: { error: error.fault } }
    console.error(`${asked.method} ${asked.target}: ${error}`)
    return { status: 503, body: { error: { code: 'unavailable', message: String(error).slice(0, 1000) } } }
  }
}

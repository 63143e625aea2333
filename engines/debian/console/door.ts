import type { Host } from '../host.ts'
import { type Answer, type Asked, type Fields, parsed } from '../http/calls.ts'
import { findPanel } from '../panels/truth.ts'
import { Refusal, refusal } from '../refusal.ts'
import { addCluster, removeCluster } from './clusters.ts'
import * as servers from './servers.ts'
import { scopesOf, type Visitor } from './visitor.ts'
import * as zones from './zones.ts'

/** After this long without a request a session is over. */
const idleMs = 30 * 60_000

type Act = (visitor: Visitor) => Promise<Fields | undefined>

/** What needs which scope of the link. */
const acts: Readonly<Record<string, readonly [scope: string | null, Act]>> = {
  '/panel': [null, describe],
  '/servers': ['account_access', servers.list],
  '/servers/add': ['account_access', servers.add],
  '/servers/remove': ['account_access', servers.remove],
  '/clusters/add': ['account_access', addCluster],
  '/clusters/remove': ['account_access', removeCluster],
  '/servers/power': ['account_access', servers.power],
  '/servers/series': ['account_access', servers.series],
  '/servers/terminal': ['account_access', servers.terminal],
  '/activity': ['account_access', servers.activity],
  '/zones': ['domain_access', zones.list],
  '/zones/read': ['domain_access', zones.read],
  '/zones/record': ['domain_access', zones.record],
  '/zones/sign': ['domain_access', zones.sign],
  '/zones/add': ['create_domains', zones.add],
  '/zones/remove': ['create_domains', zones.remove],
}

async function describe({ visit, panel }: Visitor): Promise<Fields> {
  return { name: panel.name, scopes: scopesOf(visit), person: visit.about.display_name ?? null }
}

/** Who asks, and the panel, looked at each time: access may have ended since. */
async function visitorOf(host: Host, asked: Fields): Promise<Visitor> {
  const { session } = asked
  const visit = typeof session === 'string' ? host.store.visit(session, idleMs) : undefined
  const panel = visit && (await findPanel(host, visit.panel))
  if (!visit || panel?.state !== 'active') throw refusal(401, 'signed_out', 'Sign in again from the portal.')
  return { host, visit, panel, asked }
}

async function answer(host: Host, { target, body }: Asked): Promise<Answer> {
  const asked = parsed(body)
  if (target === '/enter') {
    const session = typeof asked.token === 'string' ? host.store.enter(asked.token, idleMs) : undefined
    return session === undefined ? { status: 410 } : { status: 200, body: { session } }
  }
  const visitor = await visitorOf(host, asked)
  if (target === '/leave') {
    host.store.leave(String(asked.session))
    return { status: 204 }
  }
  const [scope, act] = acts[target] ?? []
  if (!act) throw refusal(404, 'not_found', 'There is nothing here.')
  if (scope != null && !scopesOf(visitor.visit).includes(scope))
    throw refusal(403, 'not_allowed', 'This link does not allow it.')
  return { status: 200, body: await act(visitor) }
}

/** Answers the page's process, on a Unix socket that only it can open. */
export async function answerConsole(host: Host, asked: Asked): Promise<Answer> {
  try {
    return await answer(host, asked)
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: { error: error.fault } }
    console.error(`console ${asked.target}: ${error}`)
    return { status: 503, body: { error: { code: 'unavailable' } } }
  }
}

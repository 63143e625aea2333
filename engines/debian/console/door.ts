import type { Host } from '../host.ts'
import { type Answer, type Asked, parsed } from '../http/calls.ts'
import { findPanel } from '../panels/truth.ts'
import { Refusal, refusal } from '../refusal.ts'
import { serverResources } from '../servers/resources.ts'
import type { Visit } from '../store/store.ts'

/** After this long without a request a session is over. */
const idleMs = 30 * 60_000

/** Who asks, and the panel, looked at each time: access may have ended since. */
async function visitorOf(host: Host, session: unknown) {
  const visit: Visit | undefined = typeof session === 'string' ? host.store.visit(session, idleMs) : undefined
  const panel = visit && (await findPanel(host, visit.panel))
  if (!visit || panel?.state !== 'active') throw refusal(401, 'signed_out', 'Sign in again from the portal.')
  return { visit, panel }
}

async function answer(host: Host, { target, body }: Asked): Promise<Answer> {
  const asked = parsed(body)
  if (target === '/enter') {
    const session = typeof asked.token === 'string' ? host.store.enter(asked.token, idleMs) : undefined
    return session === undefined ? { status: 410 } : { status: 200, body: { session } }
  }
  const { visit, panel } = await visitorOf(host, asked.session)
  if (target !== '/panel') throw refusal(404, 'not_found', 'There is nothing here.')
  const servers = await serverResources(host, panel)
  return { status: 200, body: { name: panel.name, scopes: visit.about.scopes, servers } }
}

/** Answers the page's process, on a Unix socket that only it can open. */
export async function answerConsole(host: Host, asked: Asked): Promise<Answer> {
  try {
    return await answer(host, asked)
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: { error: error.fault } }
    console.error(`console ${asked.target}: ${error}`)
    return { status: 503 }
  }
}

import type { Host } from '../host.ts'
import { type Instance, type InstanceState, instancePath } from '../lxd/types.ts'
import { panelLock } from '../panels/making.ts'
import { readPanel } from '../panels/truth.ts'
import { isSuspended, noServer, refusal } from '../refusal.ts'
import { isReady, startServer, stopServer } from './making.ts'
import { asServer, clusterOf, type Fields } from './resources.ts'

export const verbs = ['start', 'stop', 'restart'] as const
export type Verb = (typeof verbs)[number]
export const isVerb = (value: unknown): value is Verb => verbs.some((one) => one === value)

const grace = 5

export type PowerAsk = { readonly verb: Verb; readonly force: boolean; readonly request: string }

async function readServer({ lxd }: Host, panel: string, name: string): Promise<Instance> {
  const server = await lxd.find<Instance>(instancePath(panel, name))
  if (!server || clusterOf(server) !== null) throw noServer()
  return server
}

/** Whether a restart that was asked for before a crash had begun to take effect. */
const hasRestarted = (server: Instance, asked: number) => Date.parse(server.last_used_at) >= asked

async function turn(host: Host, panel: string, server: Instance, { verb, force }: PowerAsk): Promise<void> {
  if (verb !== 'start' && server.status !== 'Stopped') {
    await host.sample(panel)
    await stopServer(host, panel, server.name, force ? 0 : grace)
  }
  if (verb !== 'stop') await startServer(host, panel, server.name)
}

/** Idempotent by request: what was done is answered again as it was. */
export async function powerServer(host: Host, id: string, name: string, ask: PowerAsk): Promise<Fields> {
  await readPanel(host, id)
  await readServer(host, id, name)
  const key = `power ${id} ${name} ${ask.request}`
  return host.locks.alone(panelLock(id), async () => {
    const done = host.store.answerTo(key)
    if (done) return done
    const panel = await readPanel(host, id)
    if (panel.state === 'suspended') throw isSuspended()
    const server = await readServer(host, id, name)
    if (panel.state !== 'active' || !isReady(server)) throw refusal(409, 'busy', 'The server is being made.')
    const since = host.store.beginAnswer(key)
    // Begun before a crash: a second restart is worse than none.
    if (since === undefined || ask.verb !== 'restart' || !hasRestarted(server, since))
      await turn(host, id, server, ask)
    const now = await readServer(host, id, name)
    const state = await host.lxd.find<InstanceState>(instancePath(id, name, '/state'))
    return host.store.keepAnswer(key, asServer(host, panel, now, state))
  })
}

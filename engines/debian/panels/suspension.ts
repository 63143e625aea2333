import type { Host } from '../host.ts'
import { serversIn, setConfig, startServer, stopServer, was } from '../servers/making.ts'
import { endCertificates } from './certificates.ts'
import { buildPanel, panelLock, within } from './making.ts'
import { tellPanel } from './news.ts'
import { type Panel, readPanel, setWords } from './truth.ts'

/** After this many seconds a server is ended that does not stop by itself. */
const grace = 3

/** Stops what runs in a suspended panel, and remembers that it ran. */
export async function stopAll(host: Host, id: string): Promise<number> {
  const running = (await serversIn(host, id)).filter(({ status }) => status !== 'Stopped')
  await Promise.all(
    running.map(async ({ name }) => {
      await setConfig(host, id, name, { [was]: 'running' })
      await stopServer(host, id, name, grace)
    }),
  )
  return running.length
}

/** Starts what ran when a panel was suspended. */
export async function startAll(host: Host, id: string): Promise<void> {
  const servers = await serversIn(host, id)
  await Promise.all(
    servers
      .filter(({ config }) => config[was] === 'running')
      .map(async ({ name, status }) => {
        if (status === 'Stopped') await startServer(host, id, name)
        await setConfig(host, id, name, { [was]: '' })
      }),
  )
}

/**
 * The state comes first, so that nothing is let in while the servers stop. Of a panel that is still being made it is kept that
 * something is to be made: it is when the suspension ends.
 */
export async function suspendPanel(host: Host, id: string, reason: string): Promise<Panel> {
  await readPanel(host, id)
  return host.locks.alone(panelLock(id), async () => {
    const before = await readPanel(host, id)
    await host.sample(id)
    const panel = await setWords(host, id, ({ state }) => ({
      state: 'suspended',
      reason,
      ...(state === 'provisioning' && { unbuilt: '1' }),
    }))
    host.store.endVisits(id)
    // Neither waits for the other: the servers stop even when LXD fails to list its certificates.
    const done = await Promise.allSettled([endCertificates(host, id), stopAll(host, id)])
    for (const one of done) if (one.status === 'rejected') throw one.reason
    if (before.state !== 'suspended') tellPanel(host, panel)
    return panel
  })
}

/** The panel may still be `provisioning`, when it was suspended before it was made. */
export async function unsuspendPanel(host: Host, id: string): Promise<Panel> {
  const patience = AbortSignal.timeout(host.settings.patienceMs)
  await readPanel(host, id)
  const panel = await host.locks.alone(panelLock(id), async () => {
    const before = await readPanel(host, id)
    if (before.state !== 'suspended' && before.state !== 'active') return before
    const panel = await setWords(host, id, ({ isBuilt }) => ({
      state: isBuilt ? 'active' : 'provisioning',
      unbuilt: '',
      reason: '',
    }))
    if (panel.state === 'provisioning') return panel
    await startAll(host, id)
    if (before.state !== 'active') tellPanel(host, panel)
    return panel
  })
  if (panel.state !== 'provisioning') return panel
  const built = host.locks.alone(panelLock(id), () => buildPanel(host, id))
  return (await within(patience, built)) ?? panel
}

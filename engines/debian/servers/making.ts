import type { Host } from '../host.ts'
import { LxdError } from '../lxd/client.ts'
import { type Config, type Instance, type InstanceState, instancePath, instancesPath } from '../lxd/types.ts'
import type { Size } from '../panels/offers.ts'
import type { Panel } from '../panels/truth.ts'

export type NewServer = { readonly name: string; readonly size: Size; readonly cluster?: string | undefined }

const startSeconds = 20
const begun = 'user.portico.begun'
/** The mark of a server that runs, or would if its panel were not suspended. */
export const was = 'user.portico.was'
const ready = 'user.portico.ready'
/** The mark of a server that is being deleted for good. */
export const going = 'user.portico.going'

/** Whether a server is whole: made to its end by us, or by somebody else before. */
export const isReady = ({ config }: Instance) => config[ready] === '1' || config[begun] !== '1'

export const serversIn = ({ lxd }: Host, panel: string): Promise<Instance[]> =>
  lxd.get<Instance[]>(instancesPath(panel, '&recursion=1'))

export const setConfig = ({ lxd }: Host, panel: string, name: string, config: Config): Promise<void> =>
  lxd.send('PATCH', instancePath(panel, name), { config })

const bodyOf = ({ settings }: Host, { name, size, cluster }: NewServer) => ({
  name,
  source: { type: 'image', alias: settings.image, project: 'default' },
  profiles: ['default'],
  config: {
    'limits.cpu': String(size.vcpus),
    'limits.memory': `${size.memoryMb}MiB`,
    'limits.processes': '500',
    'security.idmap.isolated': 'true',
    [begun]: '1',
    ...(cluster !== undefined && { 'user.portico.cluster': cluster }),
  },
  devices: { root: { type: 'disk', path: '/', pool: settings.pool, size: `${size.diskMb}MiB` } },
})

/** Starts a server; one that runs is no fault. */
export async function startServer({ lxd }: Host, panel: string, name: string): Promise<void> {
  const body = { action: 'start', timeout: startSeconds }
  await lxd.send('PUT', instancePath(panel, name, '/state'), body).catch((error: unknown) => {
    if (!(error instanceof LxdError && /already running/.test(error.message))) throw error
  })
}

/** Stops a server: asks it first, and ends it after the grace. */
export async function stopServer({ lxd }: Host, panel: string, name: string, grace: number): Promise<void> {
  const path = instancePath(panel, name, '/state')
  const isStopped = (error: unknown) => error instanceof LxdError && /already stopped/.test(error.message)
  try {
    if (grace > 0) return await lxd.send('PUT', path, { action: 'stop', timeout: grace })
  } catch (error) {
    if (isStopped(error)) return
  }
  await lxd
    .send('PUT', path, { action: 'stop', force: true, timeout: startSeconds })
    .catch((error: unknown) => {
      if (!isStopped(error)) throw error
    })
}

export async function deleteServer(host: Host, panel: string, server: Instance): Promise<void> {
  const { lxd, machine } = host
  const path = instancePath(panel, server.name)
  // An error here shows again in the deletion, which says more.
  if (server.status !== 'Stopped') await stopServer(host, panel, server.name, 0).catch(() => undefined)
  try {
    await lxd.remove(path)
  } catch (error) {
    // A creation that was broken off leaves an empty directory where LXD looks for a subvolume.
    if (!(error instanceof LxdError && /subvolume/.test(error.message))) throw error
    await machine.removeEmptyVolume(panel, server.name)
    await lxd.remove(path)
  }
}

/** Deletes a server for good. It is marked first, so that a deletion that is broken off is finished by the mending. */
export async function removeServer(host: Host, panel: string, server: Instance): Promise<void> {
  await setConfig(host, panel, server.name, { [begun]: '1', [ready]: '', [going]: '1' })
  await deleteServer(host, panel, server)
}

async function isRunning({ lxd }: Host, panel: string, name: string): Promise<boolean> {
  return (await lxd.get<InstanceState>(instancePath(panel, name, '/state'))).status === 'Running'
}

async function makeAndStart(host: Host, panel: Panel, server: NewServer): Promise<void> {
  const { lxd } = host
  await lxd.make(instancesPath(panel.id), bodyOf(host, server))
  // Without the first the server may be half-made, and is made again; with the second the mending starts it.
  await setConfig(host, panel.id, server.name, { [ready]: '1', [was]: 'running' })
  await startServer(host, panel.id, server.name)
  await setConfig(host, panel.id, server.name, { [was]: '' })
}

/**
 * Makes a server and starts it, or finds it there. One at a time on the whole host: of two that LXD creates within some
 * milliseconds one may never start.
 */
export function makeServer(host: Host, panel: Panel, server: NewServer): Promise<void> {
  return host.locks.aloneOnHost('creation', async () => {
    const there = await host.lxd.find<Instance>(instancePath(panel.id, server.name))
    if (there && isReady(there)) {
      if (there.status !== 'Running') await startServer(host, panel.id, server.name)
      return
    }
    if (there) await deleteServer(host, panel.id, there)
    try {
      await makeAndStart(host, panel, server)
      if (await isRunning(host, panel.id, server.name)) return
    } catch (error) {
      console.error(`${panel.id}/${server.name} is made again: ${error}`)
    }
    const broken = await host.lxd.find<Instance>(instancePath(panel.id, server.name))
    if (broken) await deleteServer(host, panel.id, broken)
    await makeAndStart(host, panel, server)
  })
}

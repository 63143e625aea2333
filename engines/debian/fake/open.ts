import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { answerConsole } from '../console/door.ts'
import type { Machine } from '../host.ts'
import { answerCall } from '../http/engine.ts'
import { serve } from '../http/serve.ts'
import { openEngine } from '../open.ts'
import { readSettings, type Settings } from '../settings.ts'
import { FakeDns } from './dns.ts'
import { FakeLxd } from './lxd.ts'

export const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`

/** An engine over fakes, for one test. `restart`: as after SIGKILL, with the same store and daemons. */
export async function openFake(more: Partial<Settings> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'engine-'))
  const lxd = new FakeLxd()
  const dns = new FakeDns()
  await lxd.listen(`${folder}/unix.socket`)
  const links = new Set<string>()
  const left = new Map<string, number>()
  const machine: Machine = {
    removeLink: async (name) => void links.delete(name),
    endStrayNameServers: async () => undefined,
    removeEmptyVolume: async (project, server) => void lxd.volumes.delete(`${project}/${server}`),
    looseLinks: async () => [...links],
    cpuSeconds: async () => undefined,
    leftBridges: async () => left,
  }
  const settings = {
    ...readSettings({
      ENGINE_SECRETS: secret,
      ENGINE_DIR: folder,
      LXD_DIR: folder,
      STORE: `${folder}/store.sqlite`,
    }),
    dnsUrl: await dns.listen(),
    ...more,
  }
  const engines = [openEngine(settings, machine)]
  const restart = (changed: Partial<Settings> = {}) => {
    engines.at(-1)?.close()
    const engine = openEngine({ ...settings, ...changed }, machine)
    engines.push(engine)
    return engine
  }
  /** Another engine on the same daemons, with a store of its own. */
  const beside = (other: Partial<Settings>) => {
    const engine = openEngine({ ...settings, store: `${folder}/${other.code}.sqlite`, ...other }, machine)
    onTestFinished(engine.close)
    return engine.host
  }
  onTestFinished(() => {
    engines.at(-1)?.close()
    lxd.close()
    dns.close()
    rmSync(folder, { recursive: true })
  })
  const [{ host }] = engines as [ReturnType<typeof openEngine>]
  return { host, lxd, dns, machine, links, left, restart, beside }
}

/** Serves an engine and its page as two processes would, on free ports. */
export async function serveFake(): Promise<string> {
  const fake = await openFake()
  const page = await serve({ port: 0, host: '127.0.0.1' }, async ({ method, target, headers }) => {
    const token = /token=([\w-]+)/.exec(target)?.[1]
    return answerConsole(host, { method, target: '/enter', headers, body: JSON.stringify({ token }) })
  })
  const urlOf = (server: typeof page) => {
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  }
  const host = { ...fake.host, settings: { ...fake.host.settings, console: urlOf(page) } }
  const engine = await serve({ port: 0, host: '127.0.0.1' }, (asked) => answerCall(host, asked))
  onTestFinished(() => {
    for (const server of [page, engine]) {
      server.closeAllConnections()
      server.close()
    }
  })
  return urlOf(engine)
}

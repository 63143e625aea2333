import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { serversOf } from '#platform/db/embedded/processes.ts'
import { freePort, layCheckout, type PortalProcess, type Spawn, spawnPortal } from './portal-process.ts'
import { temporaryFolder, until } from './temporary.ts'

/**
 * A checkout of the project whose portal the tests of a file start and end. Call it at the top of the file. Each test ends
 * with its data folder removed.
 */
export function startCheckout() {
  // Each test starts the whole portal at least once, on a machine that may be busy.
  vi.setConfig({ testTimeout: 120_000 })
  const { folder, remove } = temporaryFolder('my portal')
  const data = path.join(folder, 'data')
  const started: PortalProcess[] = []
  let port = 0

  const servers = () => serversOf(path.join(data, 'database/postgres'))
  const nothingLeft = () => expect(servers()).toEqual({ postmaster: undefined, others: [] })

  function start(options: Partial<Spawn> = {}): PortalProcess {
    const portal = spawnPortal({ folder, port, ...options })
    started.push(portal)
    return portal
  }

  /**
   * Gives the checkout the data of an earlier start: a first start takes two seconds more, and one with the demo many. Keeps
   * the owners of files.
   */
  const startedBefore = (earlier: 'earlier' | 'earlier-demo' = 'earlier') =>
    execFileSync('cp', ['-a', path.join(folder, earlier), data])

  beforeAll(async () => {
    layCheckout(folder)
    port = await freePort()
    const first = start()
    await first.ready()
    await first.end('SIGTERM')
    fs.renameSync(data, path.join(folder, 'earlier'))
    return remove
  })

  beforeEach(async () => {
    port = await freePort()
  })

  afterEach(async () => {
    for (const portal of started.splice(0)) {
      if (portal.child.exitCode === null && portal.child.signalCode === null)
        process.kill(-(portal.child.pid ?? 0), 'SIGKILL')
      await portal.ended
    }
    const { postmaster } = servers()
    if (postmaster !== undefined) process.kill(postmaster, 'SIGKILL')
    await until(() => servers().postmaster === undefined && servers().others.length === 0)
    fs.rmSync(data, { recursive: true, force: true })
  })

  return { folder, port: () => port, start, startedBefore, servers, nothingLeft }
}

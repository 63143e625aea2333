import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { makeVault } from '#platform/vault.ts'
import { registerEngine } from '#workspaces/engines/registry.ts'
import { addPanel } from '#workspaces/panels.ts'
import { makeAccount } from './support/account.ts'
import { testDatabase } from './support/database.ts'
import { PayingPortal } from './support/paying-process.ts'
import { StripeServer } from './support/stripe.ts'

// A process that is asked to stop while a job waits for an engine.

vi.setConfig({ testTimeout: 120_000 })

const { pool, connection } = await testDatabase()
const db = pool.kysely
const engine = http.createServer(() => undefined)
await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve))
// A server that listens on TCP has such an address.
const { port: enginePort } = engine.address() as AddressInfo
const stripe = new StripeServer()
const portal = new PayingPortal(connection, await stripe.listen(), [], { ENGINE_ALLOWED_HOSTS: '127.0.0.1' })

afterAll(async () => {
  await portal.end()
  stripe.close()
  engine.closeAllConnections()
  engine.close()
})

/** The answer of /readyz, or that nothing listens any more. */
const readiness = () =>
  fetch(`${portal.url}/readyz`).then(
    ({ status }) => status,
    () => 'closed' as const,
  )

test('it is not ready at once, and its stop with an open request ends in order', async () => {
  const { id: client_id, projects } = await makeAccount(pool, { projects: 1, panels: 0 })
  await portal.start()
  await registerEngine(
    { db, vault: makeVault(portal.env.TOKEN_SECRET ?? '') },
    { code: 'far', name: 'Far', baseUrl: `http://127.0.0.1:${enginePort}`, isDefault: true },
  )
  const asked = once(engine, 'request')
  await db
    .transaction()
    .execute((tx) =>
      addPanel(tx, { client_id, project_id: projects[0] ?? 0, name: 'asked for', plan_code: null }),
    )
  await asked
  const request = net.connect(portal.port, '127.0.0.1').on('error', () => undefined)
  request.write('POST /auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n{')
  expect(await readiness()).toBe(200)
  const stopped = portal.stop()
  await sleep(100)
  expect([503, 'closed']).toContain(await readiness())
  const { code, took } = await stopped
  expect(code).toBe(0)
  expect(took).toBeLessThan(5000)
})

import { EventEmitter, once } from 'node:events'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { drain } from '#platform/http/connections/drain.ts'
import { testApp } from './support/app.ts'
import { testDatabase } from './support/database.ts'

const { pool } = await testDatabase()

type Answer = { status: number; connection: string | undefined; begun: number }

function get(agent: http.Agent, url: string): Promise<Answer> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    http
      .get(url, { agent }, (response) => {
        response
          .resume()
          .on('end', () =>
            resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, begun }),
          )
        response.on('error', reject)
      })
      .on('error', reject)
  })
}

/** A server that answers when the test lets it; `entered` resolves at the next request. */
async function serve() {
  const { app } = await testApp(pool)
  const door = new EventEmitter()
  app.get<{ Querystring: { ms: string } }>('/api/test/work', async ({ query }) => {
    door.emit('entered')
    await sleep(Number(query.ms))
    return pool.run({ sql: 'select 1 as one', values: [] })
  })
  app.get('/api/test/endless', () => {
    door.emit('entered')
    return new Promise(() => undefined)
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, origin, entered: () => once(door, 'entered') }
}

test('under load a stop loses no request, asks clients to leave, and cuts nobody off', async () => {
  const { app, origin } = await serve()
  const agent = new http.Agent({ keepAlive: true, maxSockets: 32 })
  const answers: Answer[] = []
  const failures: { begun: number; error: Error }[] = []
  let stopped = false
  const loop = async (n: number) => {
    while (!stopped) {
      const begun = performance.now()
      await get(agent, `${origin}/api/test/work?ms=${n % 4 === 0 ? 300 : 5}`).then(
        (answer) => answers.push(answer),
        (error: Error) => {
          failures.push({ begun, error })
          stopped = true
        },
      )
    }
  }
  const loops = Array.from({ length: 16 }, (_, n) => loop(n))
  await expect.poll(() => answers.length).toBeGreaterThan(100)
  const signalled = performance.now()
  const impatient = vi.spyOn(app.server, 'closeAllConnections')
  const drained = drain(app)
  const readiness = await fetch(`${origin}/readyz`)
  expect([readiness.status, await readiness.text()]).toEqual([503, 'not ready: the server is stopping\n'])
  await drained
  expect(impatient).not.toHaveBeenCalled()
  await Promise.all(loops)
  agent.destroy()
  // How many there are depends on the machine; that there are some shows that the load was there.
  expect(answers.length).toBeGreaterThan(10)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  // Only requests after the socket was closed fail, by a refused connection, which is safe to retry on another replica.
  for (const { begun, error } of failures) {
    expect(begun).toBeGreaterThan(signalled)
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  }
  const last = answers.filter(({ begun }) => begun > signalled).slice(-10)
  expect(last.map(({ connection }) => connection)).toEqual(last.map(() => 'close'))
}, 20_000)

test('a request in progress at the signal is answered, and then its connection is closed', async () => {
  const { app, origin, entered } = await serve()
  const agent = new http.Agent({ keepAlive: true })
  const idle = new http.Agent({ keepAlive: true })
  await get(idle, `${origin}/healthz`)
  const working = entered()
  const long = get(agent, `${origin}/api/test/work?ms=1200`)
  await working
  const impatient = vi.spyOn(app.server, 'closeAllConnections')
  await drain(app)
  expect(await long).toMatchObject({ status: 200, connection: 'close' })
  // The server's patience with those who do not finish is not what ended it.
  expect(impatient).not.toHaveBeenCalled()
  await expect(fetch(`${origin}/healthz`)).rejects.toThrow('fetch failed')
})

test('a request that never ends does not keep the server from stopping', async () => {
  const { app, origin, entered } = await serve()
  const working = entered()
  const endless = get(new http.Agent(), `${origin}/api/test/endless`)
  endless.catch(() => undefined)
  await working
  await drain(app)
  await expect(endless).rejects.toThrow('socket hang up')
}, 20_000)

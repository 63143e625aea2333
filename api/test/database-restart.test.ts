import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'
import { Pool } from '#platform/db/pool.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { testApp } from './support/app.ts'
import { Browser, person } from './support/people.ts'
import { hung, temporaryFolder } from './support/temporary.ts'

const { folder, remove } = temporaryFolder()
const server = await startEmbedded({ dataDir: folder })
const pool = new Pool(server.connection, 10, () => undefined)
afterAll(async () => {
  await pool.close()
  await server.stop()
  remove()
})
await migrate(server.connection)
// A sign-in may want to send a letter.
await installJobs(server.connection)
const { app } = await testApp(pool, { env: { rateLimitScale: 1000 } })
const origin = await app.listen({ port: 0, host: '127.0.0.1' })

const names = ['ana', 'bob', 'eva', 'dan', 'ina', 'leo', 'mia', 'noe']
const tokens: string[] = []
for (const name of names) {
  await person(pool, `${name}@example.com`)
  const browser = new Browser(app)
  await browser.signIn(`${name}@example.com`)
  tokens.push(browser.cookies.get('token') ?? '')
}

type Seen = { who: number; at: number; took: number; status: number; retry: string | null; text: string }
const seen: Seen[] = []
/** The workspaces whose creation was confirmed, and those whose request was not answered. */
const acknowledged: string[][] = names.map(() => [])
const uncertain: string[][] = names.map(() => [])

async function ask(token: string, url: string, name?: string): Promise<Seen> {
  const at = performance.now()
  const post = {
    method: 'POST',
    body: JSON.stringify({ data: { type: 'projects', attributes: { name } } }),
  }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' }
  const answer = await fetch(origin + url, { ...(name !== undefined && post), headers })
  const text = await answer.text()
  const one = {
    who: tokens.indexOf(token),
    at,
    took: performance.now() - at,
    status: answer.status,
    retry: answer.headers.get('retry-after'),
    text,
  }
  seen.push(one)
  return one
}

/** The names in a list; each page holds what the reader has, and never more. */
function assertWholeList(text: string, known: readonly string[], perhaps: readonly string[]): void {
  const listed: string[] = JSON.parse(text).data.map(
    (one: { attributes: { name: string } }) => one.attributes.name,
  )
  for (const name of listed) expect([...known, ...perhaps, 'My Workspace']).toContain(name)
  for (const name of known) expect(listed).toContain(name)
}

/** Waits until everybody has been answered well a few times from this moment on. */
async function served(): Promise<void> {
  const since = performance.now()
  const well = (n: number) =>
    seen.filter(({ who, at, status }) => who === n && at > since && status < 400).length
  const least = () => Math.min(...names.map((_name, n) => well(n)))
  await expect.poll(least, { timeout: 15_000 }).toBeGreaterThan(5)
}

let stopped = false
async function work(n: number): Promise<void> {
  const token = tokens[n] ?? ''
  while (!stopped) {
    const name = randomUUID().slice(0, 16)
    const [known, perhaps] = [acknowledged[n] ?? [], uncertain[n] ?? []]
    const written = await ask(token, '/api/v1/projects', name)
    if (written.status === 201) known.push(name)
    else perhaps.push(name)
    const list = await ask(token, '/api/v1/projects?page[size]=100')
    // The page holds a hundred, and one is there from the start; of those without an answer all may be.
    if (list.status === 200 && known.length + perhaps.length < 100) assertWholeList(list.text, known, perhaps)
    await sleep(40)
  }
}

/** Ends the database while eight people read and write, and returns their observations from then on. */
async function outage(end: (pid: number) => void) {
  const before = server.postmaster()
  if (before === undefined) throw new Error('The database is not running.')
  const from = performance.now()
  end(before)
  await expect.poll(() => server.postmaster(), { timeout: hung, interval: 5 }).not.toBe(before)
  await expect.poll(() => server.postmaster(), { timeout: hung, interval: 5 }).toBeTypeOf('number')
  const back = performance.now()
  await served()
  return { from, back }
}

test.each([
  ['in order, as an upgrade does', (pid: number) => process.kill(pid, 'SIGINT')],
  ['by a crash', (pid: number) => process.kill(pid, 'SIGQUIT')],
  ['by kill -9', (pid: number) => process.kill(pid, 'SIGKILL')],
])(
  'the database restarts %s: 503 only while it is away, and nothing acknowledged is lost',
  async (_, end) => {
    seen.length = 0
    stopped = false
    const working = Promise.all(names.map((_name, n) => work(n)))
    await served()
    const { from, back } = await outage(end)
    stopped = true
    await working

    const bad = seen.filter(({ status }) => status >= 400)
    expect(bad.length).toBeGreaterThan(0)
    for (const { status, retry, text, at, took } of bad) {
      expect({ status, retry, text }).toMatchObject({ status: 503, retry: '1' })
      expect(JSON.parse(text).errors[0]).toMatchObject({ status: '503', code: 'unavailable' })
      // Requests fail only between the crash and shortly after the restart.
      expect(at + took).toBeGreaterThan(from)
      expect(at - back).toBeLessThan(hung)
    }
    const good = seen.filter(({ status, at }) => status < 400 && at > from)
    const recovery =
      Math.min(...good.map(({ at, took }) => at + took).filter((moment) => moment > back)) - back
    expect(recovery).toBeLessThan(hung)
    expect(Math.max(...seen.map(({ took }) => took))).toBeLessThan(hung)
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)

    for (const [n, name] of names.entries()) {
      const rows = await pool.run({
        sql: 'select p.name from projects p join clients c on c.id = p.client_id where c.email = $1',
        values: [`${name}@example.com`],
      })
      const stored = rows.map((row) => row.name)
      expect(stored).toEqual(expect.arrayContaining(acknowledged[n] ?? []))
      expect(new Set(stored).size).toBe(stored.length)
    }
  },
  120_000,
)

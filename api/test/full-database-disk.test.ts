import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'
import { Pool } from '#platform/db/pool.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { scrape, testApp } from './support/app.ts'
import { Browser, person } from './support/people.ts'
import { hung, temporaryFolder, until } from './support/temporary.ts'

const { folder, remove } = temporaryFolder()

/** Makes the folder a disk of its own, so small that it can be filled; false where an account may not do so. */
function mountDisk(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=224m,mode=755', 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    console.log('This account may not mount a disk, so a full one is not tried.')
    return false
  }
}
const mounted = mountDisk()
afterAll(() => {
  if (mounted) execFileSync('umount', ['--lazy', folder])
  remove()
})

const filler = path.join(folder, 'filler')

/** Writes until nothing fits any more. */
function fill(): void {
  const file = fs.openSync(filler, 'a')
  for (let size = 1 << 20; size >= 512; ) {
    try {
      fs.writeSync(file, Buffer.alloc(size))
    } catch {
      size /= 2
    }
  }
  fs.closeSync(file)
}

async function startPortal() {
  const settings = { max_wal_size: '32MB', min_wal_size: '32MB', wal_recycle: 'off', autovacuum: 'off' }
  const said: string[] = []
  const server = await startEmbedded({ dataDir: folder, settings, log: (line) => said.push(line) })
  const pool = new Pool(server.connection, 4, () => undefined)
  afterAll(async () => {
    await pool.close()
    await server.stop()
  })
  await migrate(server.connection)
  await installJobs(server.connection)
  const { app, lines } = await testApp(pool, { env: { rateLimitScale: 1000 } })
  await person(pool, 'ana@example.com')
  const ana = new Browser(app)
  await ana.signIn('ana@example.com')
  const headers = {
    authorization: `Bearer ${ana.cookies.get('token')}`,
    'content-type': 'application/vnd.api+json',
  }
  return { app, lines, headers, pool, said }
}
type Portal = Awaited<ReturnType<typeof startPortal>>

async function add({ app, headers }: Portal): Promise<{ status: number; text: string; name: string }> {
  const name = randomUUID().slice(0, 16)
  const payload = JSON.stringify({ data: { type: 'projects', attributes: { name } } })
  const answer = await app.inject({ method: 'POST', url: '/api/v1/projects', headers, payload })
  return { status: answer.statusCode, text: answer.body, name }
}

const names = async ({ app, headers }: Portal): Promise<string[]> => {
  const answer = await app.inject({ url: '/api/v1/projects?page[size]=100&sort=-created_at', headers })
  expect(answer.statusCode).toBe(200)
  return answer.json().data.map((one: { attributes: { name: string } }) => one.attributes.name)
}

const readiness = async ({ app }: Portal) => {
  const { statusCode, body } = await app.inject('/readyz')
  return [statusCode, body]
}

/** The first creation that succeeds. */
const saved = async (portal: Portal): Promise<string> =>
  (
    await until(async () => {
      const { status, name } = await add(portal)
      return status === 201 ? name : undefined
    }, hung)
  ).value

describe.skipIf(!mounted)('on a disk that fills up', async () => {
  if (!mounted) return
  const portal = await startPortal()

  test('nothing is saved and everything is read; with room the portal goes on by itself', async () => {
    const acknowledged = [await saved(portal)]
    expect(await readiness(portal)).toEqual([200, 'ready\n'])
    fill()
    // Writes go on while they fit into the pages and the log that are there.
    const { value: refused } = await until(async () => {
      const answer = await add(portal)
      if (answer.status === 201) acknowledged.push(answer.name)
      return answer.status === 201 ? undefined : answer
    })
    expect([refused.status, JSON.parse(refused.text).errors]).toEqual([
      503,
      [
        expect.objectContaining({
          id: expect.stringMatching(/^[\da-f-]{36}$/),
          code: 'writes_refused',
          detail: 'Momentan nu se poate salva nimic. Încearcă din nou peste câteva minute.',
        }),
      ],
    ])
    expect(portal.lines.filter(({ msg }) => msg === 'unexpected error')).toEqual([])
    expect(await readiness(portal)).toEqual([
      200,
      'ready, but a write of the last minute failed: the disk of the database is full\n',
    ])
    expect((await portal.app.inject(scrape)).body).toMatch(
      /^portico_refused_writes_total\{reason="disk_full"\} [1-9]/m,
    )
    expect(await names(portal)).not.toContain(refused.name)
    fs.rmSync(filler)
    acknowledged.push(await saved(portal))
    expect(await names(portal)).toEqual(expect.arrayContaining(acknowledged))
  })

  test('a log that cannot grow ends PostgreSQL; it returns with room, and nothing acknowledged is lost', async () => {
    const acknowledged = [await saved(portal)]
    fill()
    const { value: refused } = await until(async () => {
      await portal.pool.run({ sql: 'select pg_switch_wal()', values: [] }).catch(() => undefined)
      const answer = await add(portal)
      if (answer.status === 201) acknowledged.push(answer.name)
      return answer.status === 201 || answer.text.includes('writes_refused') ? undefined : answer
    })
    expect([refused.status, JSON.parse(refused.text).errors[0].code]).toEqual([503, 'unavailable'])
    await until(async () => (await readiness(portal))[0] === 503 || undefined)
    expect(portal.lines.filter(({ msg }) => msg === 'unexpected error')).toEqual([])
    fs.rmSync(filler)
    acknowledged.push(await saved(portal))
    expect(portal.said.filter((line) => /^PANIC:.*No space left on device/.test(line))).not.toEqual([])
    expect(await names(portal)).toEqual(expect.arrayContaining(acknowledged))
    expect((await readiness(portal))[0]).toBe(200)
  })
})

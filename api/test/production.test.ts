import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { withClient } from '#platform/db/client.ts'
import { withDatabase } from '#platform/db/connection.ts'
import { Pool } from '#platform/db/pool.ts'
import { password, person } from './support/people.ts'
import { freePort } from './support/portal-process.ts'
import { hung, temporaryFolder, until } from './support/temporary.ts'

// The tests have no container engine. This test lays out the files that the Dockerfile copies and runs them as the image
// would: with its packages only, as an ordinary user who may write in the volume alone.

const root = path.resolve(import.meta.dirname, '../..')
const dockerfile = fs.readFileSync(path.join(root, 'Dockerfile'), 'utf8')
const image = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(image) ?? []
const [, healthcheck = '[]'] = /^ +CMD (\[.*\])$/m.exec(image) ?? []

const { folder, remove } = temporaryFolder('portico')
const data = temporaryFolder('portico-data')
const running = new Set<ChildProcess>()
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  execFileSync('chmod', ['-R', 'u+w', folder])
  remove()
  data.remove()
})

/** The packages of the server alone, as `npm ci --omit=dev --workspace=@portico/api` installs them. */
function productionPackages(): string[] {
  const list = ['ls', '--workspace=@portico/api', '--omit=dev', '--all', '--parseable']
  const lines = execFileSync('npm', list, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim().split('\n')
  return lines
    .map((line) => path.relative(root, line))
    .filter((at) => at.startsWith('node_modules/') && !at.includes('@portico'))
}

/** The paths that .dockerignore excludes from the copied folders. */
const ignored = /(?:^|\/)(?:node_modules|\.cache)(?:\/|$)|\.test\.tsx?$|^api\/test(?:\/|$)/

function layImage(): void {
  for (const at of productionPackages()) {
    fs.cpSync(path.join(root, at), path.join(folder, at), { recursive: true, verbatimSymlinks: true })
  }
  fs.mkdirSync(path.join(folder, 'node_modules/@portico'))
  fs.symlinkSync('../../contract', path.join(folder, 'node_modules/@portico/contract'))
  for (const [, from = '', to = ''] of image.matchAll(/^COPY (?!--from)(\S+) (\S+)$/gm)) {
    const target = path.join(folder, to.endsWith('/') ? to + from : to)
    fs.cpSync(path.join(root, from), target, {
      recursive: true,
      filter: (at) => !ignored.test(path.relative(root, at)),
    })
  }
  fs.mkdirSync(path.join(folder, 'web/dist'), { recursive: true })
  fs.writeFileSync(path.join(folder, 'web/dist/index.html'), '<html lang="en"></html>')
  fs.writeFileSync(path.join(folder, 'web/dist/pages.json'), JSON.stringify({ '*': { en: 'index.html' } }))
  execFileSync('chmod', ['-R', 'a-w', folder])
}

const socket = inject('postgres').host ?? ''
const connection = withDatabase(inject('postgres'), `production_${process.pid}`)
afterAll(() =>
  withClient(inject('postgres'), (client) =>
    client.query(`drop database if exists ${connection.database} with (force)`),
  ),
)

async function run(words: string, env: Record<string, string>) {
  const [program, ...parameters]: string[] = JSON.parse(words)
  expect(program).toBe('node')
  // Only the user who owns PostgreSQL's socket may open it; under root the tests run it as another user.
  const { uid, gid } = fs.statSync(socket)
  if (process.getuid?.() === 0) fs.chownSync(data.folder, uid, gid)
  const child = spawn(process.execPath, parameters, {
    cwd: folder,
    ...(process.getuid?.() === 0 && { uid, gid }),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { NODE_ENV: 'production', LANG: 'C.UTF-8', DATA_DIR: data.folder, ...env },
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return { child, output: () => output, ended: once(child, 'close').then(([code]) => code) }
}

async function replica(settings: Record<string, string> = {}) {
  const port = await freePort()
  const env = {
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://portal.example.com',
    ALLOW_SANDBOX_PAYMENTS: '1',
    DATABASE_URL: `postgres://portico@localhost/${connection.database}?host=${encodeURIComponent(socket)}`,
    ...settings,
  }
  const started = await run(command, env)
  return { ...started, env, origin: `http://127.0.0.1:${port}` }
}

// Fifteen thousand files are copied, which a disk that has not read them lately takes its time for.
beforeAll(layImage, 240_000)

test('two replicas of the image start on an empty database, share sign-ins, and stop in order', async () => {
  await withClient(inject('postgres'), async (client) => {
    await client.query(`drop database if exists ${connection.database} with (force)`)
    await client.query(`create database ${connection.database} template template1`)
  })
  const replicas = await Promise.all([replica(), replica({ WORKERS: '0' })])
  const [one, other] = replicas
  for (const { origin, output, child } of replicas) {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(output())
      return (await fetch(`${origin}/readyz`).catch(() => undefined))?.ok || undefined
    }, 60_000)
    expect((await fetch(`${origin}/anywhere`, { headers: { accept: 'text/html' } })).status).toBe(200)
  }
  const check = await run(healthcheck, one.env)
  expect(await check.ended).toBe(0)

  const pool = new Pool(connection, 2, () => undefined)
  const applied = await pool.run({
    sql: 'select name, count(*) as times from schema_migrations group by name',
    values: [],
  })
  const files = fs
    .readdirSync(path.join(root, 'api/src/platform/db/migrations'))
    .filter((name) => name.endsWith('.sql'))
  expect(applied.map(({ name, times }) => [name, times]).sort()).toEqual(
    files.map((name) => [name.slice(0, -4), 1]).sort(),
  )

  // Every job queue listens on a connection of its own.
  const listening = `select count(*)::int as queues from pg_stat_activity
    where datname = current_database() and query ilike 'listen%'`
  await until(async () => (await pool.run({ sql: listening, values: [] }))[0]?.queues === 1 || undefined)
  await until(() => other.output().includes('This process runs no jobs') || undefined)
  expect(one.output()).not.toContain('This process runs no jobs')
  const engines = 'select kind, is_default, disabled_at is null as enabled from panel_engines'
  expect(await pool.run({ sql: engines, values: [] })).toEqual([
    { kind: 'simulated', is_default: false, enabled: false },
  ])

  await person(pool, 'ana@example.com')
  await pool.close()
  const json = { 'content-type': 'application/json', 'x-portico-client': 'api' }
  const login = await fetch(`${one.origin}/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email: 'ana@example.com', password }),
  })
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  const { code } = (await login.json()) as { code: string } // The contract's answer to a sign-in.
  const callback = await fetch(`${other.origin}/auth/callback?code=${code}`, { headers: { ...json, cookie } })
  const { token } = (await callback.json()) as { token: string } // The contract's answer to a callback.
  const authorization = { authorization: `Bearer ${token}` }
  for (const { origin } of replicas)
    expect((await fetch(`${origin}/api/v1/projects`, { headers: authorization })).status).toBe(200)
  await fetch(`${one.origin}/api/user/logout`, { headers: authorization })
  for (const { origin } of replicas)
    expect((await fetch(`${origin}/api/v1/projects`, { headers: authorization })).status).toBe(401)

  for (const { child, ended, output } of replicas) {
    const begun = performance.now()
    child.kill('SIGTERM')
    expect(await ended, output()).toBe(0)
    expect(performance.now() - begun).toBeLessThan(hung)
  }
}, 120_000)

test('the healthcheck fails while the server is down', async () => {
  const check = await run(healthcheck, { PORT: String(await freePort()) })
  expect(await check.ended).toBe(1)
})

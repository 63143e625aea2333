import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ask, freePort, postmasterPid } from './support/portal-process.ts'
import { startCheckout } from './support/start-checkout.ts'
import { hung, temporaryFolder, until } from './support/temporary.ts'

const asRoot = process.getuid?.() === 0

const { folder, port, start, startedBefore, servers, nothingLeft } = startCheckout()

test('npm start in a folder with a space serves the portal, and SIGTERM to npm ends everything', async () => {
  const portal = start({ by: 'npm', env: { SEED: 'demo', HOST: '' } })
  await portal.ready()
  expect(portal.output()).toContain(`Portico is ready: http://localhost:${port()}`)
  expect(portal.output()).toMatch(/password is portico-demo/)
  expect(portal.output()).toMatch(/ana@demo\.test/)
  expect((await fetch(`http://127.0.0.1:${port()}/`)).status).toBeLessThan(500)
  const { took } = await portal.end('SIGTERM')
  expect(took).toBeLessThan(hung)
  await until(() => servers().postmaster === undefined)
  nothingLeft()
  await expect(fetch(`http://127.0.0.1:${port()}/`)).rejects.toThrow()
  fs.renameSync(path.join(folder, 'data'), path.join(folder, 'earlier-demo'))
})

test('a reachable demo shows a frame, requires a second factor of staff, and is never in production', async () => {
  startedBefore('earlier-demo')
  const open = start({ env: { SEED: 'demo', HOST: '0.0.0.0' } })
  await open.ready()
  await until(() => /\*+\n\* WARNING: this demo listens on 0\.0\.0\.0/.test(open.output()) || undefined)
  expect(await ask(folder, 'select bool_and(totp_required) from admins')).toEqual([true])
  await open.end('SIGTERM')
  const production = start({ env: { SEED: '', NODE_ENV: 'production', ALLOW_SANDBOX_PAYMENTS: '1' } })
  expect(await production.ended).toBe(1)
  expect(production.output().trim().split('\n')).toEqual([
    expect.stringMatching(
      /was filled as a demo, whose passwords are public.* remove the folder .*data or choose/,
    ),
  ])
  nothingLeft()
})

test('a start asks for exchange rates at once, without which no document can be issued', async () => {
  const asked: string[] = []
  const mirror = http.createServer((request, answer) => {
    asked.push(request.url ?? '')
    answer.writeHead(503).end()
  })
  await once(mirror.listen(0, '127.0.0.1'), 'listening')
  const { port: at } = z.parse(z.object({ port: z.number() }), mirror.address())
  startedBefore()
  const first = start()
  await first.ready()
  // Which rates are needed follows from the operator.
  await ask(
    folder,
    `insert into operator_profile (legal_name, vat_number, tax_number, address1, city, county_code, zip_code, country, base_currency)
     values ('Host SRL', 'RO12345674', '12345674', 'Strada Lungă 1', 'Cluj-Napoca', 'RO-CJ', '400114', 'RO', 'RON')`,
  )
  expect(await ask(folder, 'select count(*)::int from operator_profile')).toEqual([1])
  await first.end('SIGTERM')
  const portal = start({ env: { EXCHANGE_RATES_URL: `http://127.0.0.1:${at}` } })
  await portal.ready()
  await until(() => asked.length > 0 || undefined)
  expect(asked[0]).toMatch(/\.xml$/)
  await portal.end('SIGTERM')
  mirror.close()
  nothingLeft()
})

test('SIGINT and SIGTERM end the server and its database, with exit code 0', async () => {
  startedBefore()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const portal = start()
    await portal.ready()
    const { code, took } = await portal.end(signal)
    expect(code).toBe(0)
    expect(took).toBeLessThan(hung)
    nothingLeft()
    expect(fs.readdirSync(path.join(folder, 'data/database'))).toEqual(['postgres'])
    expect(fs.existsSync(path.join(folder, 'data/database/postgres/postmaster.pid'))).toBe(false)
  }
})

test('another secret than the one that the database was sealed with is refused in one sentence', async () => {
  startedBefore()
  const second = start({ env: { TOKEN_SECRET: 'another secret of more than thirty-two' } })
  expect(await second.ended).toBe(1)
  expect(second.output().trim().split('\n')).toEqual([
    expect.stringMatching(/^TOKEN_SECRET is not the secret that this database was sealed with: /),
  ])
  nothingLeft()
})

test('Ctrl-C in the terminal of npm start, which reaches npm and the server, ends in order', async () => {
  startedBefore()
  const portal = start({ by: 'npm' })
  await portal.ready()
  const { took } = await portal.end('SIGINT', -(portal.child.pid ?? 0))
  expect(took).toBeLessThan(hung)
  await until(() => servers().postmaster === undefined)
  expect(fs.existsSync(path.join(folder, 'data/database/postgres/postmaster.pid'))).toBe(false)
  expect(fs.existsSync(path.join(folder, 'data/database/portico.lock'))).toBe(false)
})

test('a taken port is named, with how to choose another, and nothing is left running', async () => {
  const other = net.createServer().listen(port(), '127.0.0.1')
  await once(other, 'listening')
  const portal = start()
  expect(await portal.ended).toBe(1)
  expect(portal.output().trim()).toBe(
    `Port ${port()} is taken by another program. Choose another one, for example: PORT=${port() + 1} npm start`,
  )
  nothingLeft()
  other.close()
})

test('a second start says that the first runs, and does not touch it', async () => {
  startedBefore()
  const first = start()
  await first.ready()
  const before = postmasterPid(folder)
  const second = start({ port: await freePort() })
  expect(await second.ended).toBe(1)
  expect(second.output().trim()).toBe(
    `Portico already runs on ${path.join(folder, 'data')} (process ${first.child.pid}): stop that one first, or choose another folder with DATA_DIR.`,
  )
  expect(postmasterPid(folder)).toBe(before)
  expect(await ask(folder, 'select 1')).toEqual([1])
})

test('wrong variables are listed and nothing is started', async () => {
  const portal = start({ env: { SEED: 'x', POOL_SIZE: 'many' } })
  expect(await portal.ended).toBe(1)
  expect(portal.output()).toMatch(/SEED: found "x".*\n.*POOL_SIZE: found "many"/)
  expect(fs.existsSync(path.join(folder, 'data'))).toBe(false)
})

test('without the built app and the tools to build it, a start says what to run and exits', async () => {
  const dist = path.join(folder, 'web/dist')
  const bin = path.join(folder, 'node_modules/.bin')
  const config = path.join(folder, 'web/vite.config.ts')
  fs.renameSync(dist, `${dist}-aside`)
  fs.renameSync(bin, `${bin}-aside`)
  fs.writeFileSync(config, '')
  try {
    const portal = start()
    expect(await portal.ended).toBe(1)
    expect(portal.output()).toContain('run "npm ci" first')
    nothingLeft()
  } finally {
    fs.rmSync(config)
    fs.renameSync(`${bin}-aside`, bin)
    fs.renameSync(`${dist}-aside`, dist)
  }
})

test('an uncaught bug is logged, and the process stops in order', async () => {
  const bug = "setTimeout(() => Promise.reject(new Error('nobody caught me')), 1500)"
  const portal = start({ env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bug)}` } })
  expect(await portal.ended).toBe(1)
  expect(portal.output()).toContain('nobody caught me')
  nothingLeft()
})

test.runIf(asRoot)('an ordinary user starts it just so', async () => {
  const home = temporaryFolder('home of somebody')
  fs.chownSync(home.folder, 65_534, 65_534)
  const env = { DATA_DIR: path.join(home.folder, 'data') }
  const portal = start({ uid: 65_534, env })
  await portal.ready()
  expect(await portal.end('SIGINT')).toMatchObject({ code: 0 })
  const { uid, mode } = fs.statSync(path.join(env.DATA_DIR, 'token-secret'))
  expect([uid, mode & 0o777]).toEqual([65_534, 0o600])
  home.remove()
})

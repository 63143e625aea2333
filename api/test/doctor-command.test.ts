import { execFile } from 'node:child_process'
import http, { type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { addStaff } from '#identity/staff-registry.ts'
import { makeVault } from '#platform/vault.ts'
import { registerEngine } from '#workspaces/engines/registry.ts'
import { testApp } from './support/app.ts'
import { serverOfTests, testDatabase } from './support/database.ts'
import { exampleEngine } from './support/example-engine.ts'
import { person } from './support/people.ts'
import { poolerUrl, startPooler } from './support/pooler.ts'
import { freePort } from './support/portal-process.ts'
import { tokenSecret } from './support/secret.ts'
import { testSmtp } from './support/smtp.ts'
import { temporaryFolder } from './support/temporary.ts'

const root = path.resolve(import.meta.dirname, '../..')
const place = temporaryFolder('doctor')
afterAll(place.remove)
const { pool, connection } = await testDatabase()
const db = pool.kysely

/** Runs the command, and returns its exit code and the lines by what they are about. */
async function doctor(settings: Record<string, string>) {
  const { DATABASE_URL: _, ...inherited } = process.env
  const socket = encodeURIComponent(serverOfTests().host ?? '')
  const env = {
    ...inherited,
    SEED: 'none',
    DATA_DIR: place.folder,
    DATABASE_URL: `postgres://${serverOfTests().user}@localhost/${connection.database}?host=${socket}`,
    TOKEN_SECRET: tokenSecret,
    ...settings,
  }
  const { promise, resolve } = Promise.withResolvers<{ code: number; said: string }>()
  execFile(process.execPath, ['api/src/commands/doctor.ts'], { cwd: root, env }, (error, stdout, stderr) =>
    resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
  )
  const { code, said } = await promise
  const about = (name: string) => said.split('\n').filter((line) => line.slice(7).startsWith(`${name}:`))
  return { code, said, about }
}

async function serve(listener: RequestListener): Promise<string> {
  const server = http.createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on TCP has such an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const smtp = await testSmtp()
const engine = { code: 'real', name: 'Real', baseUrl: 'http://127.0.0.1:1', isDefault: true }
const baseUrl = await exampleEngine([await registerEngine({ db, vault: makeVault(tokenSecret) }, engine)])
await sql`update panel_engines set base_url = ${baseUrl}, disabled_at = now() where code = 'real'`.execute(db)

const { app } = await testApp(pool, { env: { trustedProxies: ['127.0.0.1'] } })
const portal = await app.listen({ host: '127.0.0.1', port: 0 })

const { app: strict } = await testApp(pool)

/** A proxy that serves the documents itself, unless they are missing, and passes everything else on. */
let documents = true
const publicUrl = await serve((request, response) => {
  if (documents && /^\/(?:terms|privacy)$/.test(request.url ?? '')) return void response.end('Our terms.')
  const { host: _, ...headers } = request.headers
  const onward = http.request(
    portal + request.url,
    { method: request.method ?? 'GET', headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    },
  )
  onward.on('error', () => response.destroy())
  request.pipe(onward)
})

/** Stripe's list of webhook endpoints, for the one valid key. */
let endpoints: unknown[] = []
const stripe = await serve(({ headers }, response) => {
  response.statusCode = headers.authorization === 'Bearer sk_test_valid123' ? 200 : 401
  response.end(JSON.stringify({ data: endpoints }))
})
const stripeSettings = {
  STRIPE_SECRET_KEY: 'sk_test_valid123',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_12345678',
  STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
  STRIPE_API_BASE: stripe,
}

test('on a new installation the doctor names everything that is missing, and what to do', async () => {
  const dead = `http://127.0.0.1:${await freePort()}`
  const { code, said, about } = await doctor({
    PUBLIC_URL: dead,
    SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
    S3_ENDPOINT: dead,
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'hidden-secret',
    ...stripeSettings,
    STRIPE_SECRET_KEY: 'sk_test_wrong123',
  })
  expect(code).toBe(2)
  const lines: [string, string][] = [
    ['operator', '/desk/company'],
    ['series', 'invoices, credit notes, proforma invoices'],
    ['staff', 'npm run setup:link'],
    ['engine', '/desk/engines'],
    ['mail', 'check SMTP_URL'],
    ['files', 'check the S3_ variables'],
    ['address', 'start the portal'],
  ]
  for (const [name, words] of lines)
    expect(about(name).join(), said).toMatch(new RegExp(`^(?:WARN|STOP) +.*${words}`))
  expect(about('stripe').at(-1)).toMatch(/^(?:WARN|STOP) +.*STRIPE_SECRET_KEY/)
  expect(about('database').join()).toMatch(/^ok .*PostgreSQL \d+.* takes writes\.$/)
  expect(said).toMatch(/things are wrong\.\n$/)
  expect(said).not.toMatch(/hidden-secret|sk_test_wrong123| {4}at /)
}, 120_000)

test('on a portal that is set up nothing is wrong', async () => {
  const { host } = new URL(publicUrl)
  expect(host).not.toBe(new URL(portal).host)
  await sql`insert into operator_profile (legal_name, vat_number, tax_number, commerce_code, address1, city, county_code,
      zip_code, country, email, iban, bank_name)
    values ('Example Cloud SRL', 'RO12345674', '12345674', 'J12/1/2020', 'Strada Lungă 1', 'Cluj-Napoca', 'RO-CJ', '400001',
      'RO', 'billing@example.com', 'RO49AAAA1B31007593840000', 'Example Bank')`.execute(db)
  await sql`insert into invoice_series (prefix, kind, legal_decision)
    values ('EX', 'fiscal', 'Decision 1'), ('EXC', 'credit_note', 'Decision 1')`.execute(db)
  await sql`insert into proforma_series (prefix) values ('EXP')`.execute(db)
  await sql`insert into fx_rates (base, quote, published_on, rate, source)
    select base, quote, clock_today() - 1, 4.5, 'test' from fx_needs`.execute(db)
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  await person(pool, 'op@example.com')
  await db
    .transaction()
    .execute((tx) =>
      addStaff({ tx, now: new Date() }, { email: 'op@example.com', role: 'admin', displayName: undefined }),
    )
  await sql`update panel_engines set disabled_at = case when kind = 'simulated' then now() end`.execute(db)
  endpoints = [{ url: `${publicUrl}/webhooks/stripe`, status: 'enabled', enabled_events: ['*'] }]
  const settings = {
    PUBLIC_URL: publicUrl,
    SMTP_URL: smtp.url,
    TRUSTED_PROXIES: '127.0.0.1',
    ENGINE_ALLOWED_HOSTS: '127.0.0.1',
    ...stripeSettings,
  }
  const { code, said, about } = await doctor(settings)
  expect(said).toMatch(/Nothing is wrong\.\n$/)
  expect(code).toBe(0)
  for (const name of [
    'database',
    'operator',
    'series',
    'rates',
    'staff',
    'jobs',
    'engine',
    'mail',
    'files',
    'disk',
  ])
    expect(about(name).join(), said).toMatch(/^ok /)
  for (const name of ['address', 'proxy', 'terms']) expect(about(name).join(), said).toMatch(/^ok /)
  expect(smtp.received).toEqual([])

  documents = false
  endpoints = [{ url: `${publicUrl}/webhooks/stripe`, status: 'enabled', enabled_events: ['refund.created'] }]
  await sql`update panel_engines set disabled_at = null where kind = 'simulated'`.execute(db)
  await sql`insert into settings (key, value) values ('backup_at', to_jsonb(now() - interval '30 hours'))`.execute(
    db,
  )
  await sql`insert into engine_watermarks (panel_engine_id, through)
    select id, clock_now() - interval '7 hours 5 minutes' from panel_engines where code = 'real'`.execute(db)
  const worse = await doctor({ ...settings, TOKEN_SECRET: 'another secret than the one of the database' })
  expect(worse.about('secret').join(), worse.said).toMatch(/^(?:WARN|STOP) +.*TOKEN_SECRET/)
  expect(worse.about('terms').join()).toMatch(/^(?:WARN|STOP) +.*\/terms and \/privacy/)
  await sql`insert into published_texts (kind, version, from_day, body_en, body_ro)
    select kind, '1', '2020-01-01', 'Text', 'Text' from unnest(array['terms', 'privacy']) kind`.execute(db)
  expect(worse.about('stripe').at(-1)).toMatch(/^(?:WARN|STOP) +.*payment_intent\.\*/)
  const late = await doctor({ ...settings, ACT: '0' })
  expect(late.about('terms').join()).toMatch(/^ok /)
  expect(late.about('copy').join()).toMatch(/^(?:WARN|STOP) +.*ACT is 0; npm run takeover/)
  expect(late.about('usage').join()).toMatch(/^(?:WARN|STOP) +.*real \(7 h\)/)
  expect(late.about('backup').join()).toMatch(/^(?:WARN|STOP) +.*30 hours ago/)
  expect(late.about('engine').join()).toMatch(/hint .*simulated/)
}, 240_000)

test('a proxy that is not trusted, and a database that does not answer, are named', async () => {
  const untrusted = await strict.listen({ host: '127.0.0.1', port: 0 })
  const { code, about } = await doctor({
    PUBLIC_URL: untrusted,
    TRUSTED_PROXIES: '10.0.0.1',
    DATABASE_URL: `postgres://nobody:hidden@127.0.0.1:${await freePort()}/portico`,
  })
  expect(code).toBe(2)
  expect(about('proxy').join()).toMatch(/^(?:WARN|STOP) +.*TRUSTED_PROXIES/)
  expect(about('database').join()).toMatch(/^(?:WARN|STOP) +.*check DATABASE_URL/)
  expect(about('database').join()).not.toContain('hidden')
}, 120_000)

test('an invalid configuration is named as at the start, with a code of its own', async () => {
  const { code, said } = await doctor({ PORT: 'x' })
  expect([code, said]).toEqual([3, expect.stringContaining('PORT: found "x"')])
}, 60_000)

test('a pooler is checked apart from the database behind it', async () => {
  // A run of all tests through a pooler has given them to the role.
  await sql.raw(`alter role portico in database ${connection.database} reset all`).execute(db)
  const pooler = await startPooler(connection, 2)
  onTestFinished(() => pooler.stop())
  const pooled = {
    DATABASE_URL: pooler.url,
    DATABASE_POOLER: 'transaction',
    DATABASE_DIRECT_URL: poolerUrl(connection, connection.host ?? ''),
  }
  const before = await doctor(pooled)
  expect(before.about('database')).toEqual([expect.stringMatching(/^ok .* answers and takes writes\.$/)])
  const [line = ''] = before.about('pooler')
  expect(line).toMatch(
    /^(?:WARN|STOP) +.*alter role "portico" .* set plan_cache_mode = 'force_generic_plan'; Then RECONNECT/,
  )
  const statements = line.match(/alter role [^;]*;/g) ?? []
  for (const statement of statements) await sql.raw(statement).execute(db)
  onTestFinished(async () => {
    await sql.raw(`alter role portico in database ${connection.database} reset all`).execute(db)
  })
  await pooler.stop()
  const gone = await doctor(pooled)
  expect(gone.about('pooler')).toEqual([
    expect.stringMatching(/^(?:WARN|STOP) +.* cannot be used .*check DATABASE_URL/),
  ])
  const next = await startPooler(connection, 2)
  onTestFinished(() => next.stop())
  expect((await doctor({ ...pooled, DATABASE_URL: next.url })).about('pooler')).toEqual([
    expect.stringMatching(/^ok .* sessions have the settings of the portal\.$/),
  ])
})

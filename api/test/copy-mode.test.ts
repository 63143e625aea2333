import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { queueMail } from '#notifications/queue-letter.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { makeVault } from '#platform/vault.ts'
import { registerEngine } from '#workspaces/engines/registry.ts'
import { addPanel } from '#workspaces/panels.ts'
import { testDatabase } from './support/database.ts'
import { makeOperator } from './support/documents.ts'
import { testImap } from './support/imap.ts'
import { PayingPortal } from './support/paying-process.ts'
import { testSmtp } from './support/smtp.ts'
import { StripeServer } from './support/stripe.ts'
import { temporaryFolder, until } from './support/temporary.ts'

// The portal as a real process on a copied database, with work that waits; then the same after the take-over.

vi.setConfig({ testTimeout: 240_000 })

const root = path.resolve(import.meta.dirname, '../..')
const { pool, connection } = await testDatabase()
const db = pool.kysely
const stripe = new StripeServer()
const smtp = await testSmtp()
const imap = await testImap()
let mailboxes = 0
imap.server.server.on('connection', () => {
  mailboxes += 1
})
const asked: string[] = []
const engine = http.createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`)
  response.writeHead(503).end()
})
await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve))
// A server that listens on TCP has such an address.
const { port: enginePort } = engine.address() as AddressInfo
const data = temporaryFolder()
const portal = new PayingPortal(connection, await stripe.listen(), [], {
  DATA_DIR: data.folder,
  SMTP_URL: smtp.url,
  IMAP_URL: imap.url,
  REPLY_ADDRESS: 'reply@support.example',
  ENGINE_ALLOWED_HOSTS: '127.0.0.1',
})
const vault = makeVault(portal.env.TOKEN_SECRET ?? '')
const storage = await localStorage(path.join(data.folder, 'files'))

afterAll(async () => {
  await portal.end()
  stripe.close()
  engine.closeAllConnections()
  engine.close()
  data.remove()
})
beforeAll(() => makeOperator(pool))

/** Everything that was asked of anybody outside. */
const outside = () => ({
  stripe: stripe.requests.length,
  smtp: smtp.connections,
  imap: mailboxes,
  engine: asked.length,
})

/** The jobs that were ever taken from the queue: the portal may have been killed over some. */
async function begunJobs(): Promise<readonly unknown[]> {
  const { rows } = await sql`select id, attempts from graphile_worker._private_jobs
    where attempts > 0 or locked_at is not null order by id`.execute(db)
  return rows
}

/** Runs `npm run takeover` with these answers; Stripe is in this process, which must not wait idly. */
async function takeOver(...answers: string[]): Promise<{ status: number | null; said: string }> {
  const child = spawn(process.execPath, ['api/src/commands/takeover.ts'], {
    cwd: root,
    env: { ...process.env, SEED: 'none', ...portal.env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  child.stdin.end(answers.map((answer) => `${answer}\n`).join(''))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, said }
}

const stored = randomUUID()
const letter = {
  kind: 'verify-email',
  name: 'Ana',
  link: '/verify-email/1/of-this-letter',
  device: { browser: null, system: null },
  ip: null,
  at: '2026-11-21T14:05:00Z',
} as const

/** Work of the queue: a letter, a panel, and a file to remove. */
async function leaveWork(clientId: number): Promise<void> {
  const file = path.join(storage.incoming, stored)
  fs.writeFileSync(file, 'no longer needed')
  await storage.keep(stored, file)
  await registerEngine(
    { db, vault },
    { code: 'far', name: 'Far', baseUrl: `http://127.0.0.1:${enginePort}`, isDefault: true },
  )
  const { id: project_id } = await db
    .selectFrom('projects')
    .select('id')
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow()
  await db.transaction().execute(async (tx) => {
    await queueMail({ tx, vault }, { to: 'ana@example.com', language: 'en', letter: letter })
    await addPanel(tx, { client_id: clientId, project_id, name: 'asked for', plan_code: null })
    await enqueue(tx, 'file.remove', { key: stored })
  })
  imap.bring('From: ana@example.com\r\nTo: reply@support.example\r\nSubject: Hello\r\n\r\nHello')
}

test('a copy is read and asks nobody for anything, until it takes over', async () => {
  await portal.start()
  const ana = await portal.payer(pool, stripe)
  expect((await portal.topUp(ana, 20)).status).toBe(201)
  await portal.kill()
  await leaveWork(ana.id)
  await sql`update settings set value = value || '{"server": "1"}' where key = 'acts_as'`.execute(db)
  const before = outside()
  const begun = await begunJobs()

  await portal.start()
  expect(portal.output()).toContain('This portal is a copy, because its database was restored or copied.')
  const reader = await portal.signedIn(ana)
  expect((await portal.ask(reader, 'GET', `${base}/panels`)).text).toContain('asked for')
  expect((await portal.ask(reader, 'GET', `${base}/transactions`)).status).toBe(200)
  const inRomanian = { headers: { 'accept-language': 'ro' } }
  const refused = await portal.topUp(reader, 20)
  expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('"code":"copy_mode"')])
  const message = { body: '{}', signature: 't=1,v1=0' }
  expect((await portal.deliver(message)).status).toBe(503)
  const event = await portal.ask(undefined, 'POST', '/engine/v1/events', { body: {}, ...inRomanian })
  expect([event.status, event.text]).toEqual([503, expect.stringContaining('este o copie')])
  expect(outside()).toEqual(before)
  expect(await begunJobs()).toEqual(begun)
  expect(await storage.read(stored).then((file) => file?.destroy() !== undefined)).toBe(true)

  const early = await takeOver('', '')
  expect([early.status, early.said]).toEqual([1, expect.stringContaining('nothing was changed')])
  const series = await db.selectFrom('invoice_series').selectAll().where('active', '=', true).execute()
  const many = series.length + (await db.selectFrom('proforma_series').selectAll().execute()).length
  const { id: lost } = await db.selectFrom('payments').select('id').executeTakeFirstOrThrow()
  const unknown = stripe.charges(lost)[0]?.id
  stripe.movedHoursAgo = 0
  await sql`update payments set provider_ref = 'pi_of_before' where id = ${lost}`.execute(db)
  const { rows: idsBefore } = await sql<{
    last: number
  }>`select last_value as last from payments_id_seq`.execute(db)
  const taken = await takeOver(...Array.from({ length: many }, () => ''), 'yes', 'yes')
  expect([taken.status, taken.said]).toEqual([0, expect.stringContaining('it acts from then on')])
  expect(taken.said).toContain(
    `1 payments and refunds since then are not in this database.\n  charge ${unknown}:`,
  )
  const alert = db
    .selectFrom('staff_alerts')
    .select(['about', 'detail'])
    .where('kind', '=', 'charge_after_backup')
  expect(await alert.execute()).toMatchObject([{ about: `stripe ${unknown}`, detail: { client_id: ana.id } }])
  const { rows: idsAfter } = await sql<{
    last: number
  }>`select last_value as last from payments_id_seq`.execute(db)
  expect(Number(idsAfter[0]?.last) - Number(idsBefore[0]?.last), 'ids that the original may have given').toBe(
    1_000_000,
  )
  await portal.kill()
  await portal.start()
  await until(() => smtp.received.some(({ to }) => to.includes('ana@example.com')) || undefined)
  await until(() => asked.length > before.engine || undefined)
  await until(async () => ((await storage.read(stored)) === null ? true : undefined))
  expect((await takeOver()).said).toContain('This portal is not a copy: it acts.')
})

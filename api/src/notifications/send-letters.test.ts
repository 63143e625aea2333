import { sql } from 'kysely'
import pino from 'pino'
import PostalMime from 'postal-mime'
import { afterEach, expect, test, vi } from 'vitest'
import type { Mailer } from '#platform/mail/transport/mailer.ts'
import { smtpMailer } from '#platform/mail/transport/smtp-mailer.ts'
import { type JobRunner, startJobs } from '#start/jobs.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { only, TestEngine } from '#test/support/engine.ts'
import { testPostOffice, testVault } from '#test/support/mail.ts'
import { testSmtp } from '#test/support/smtp.ts'
import { queueMail, requestWaitingLetters } from './queue-letter.ts'
import { pruneLetters, sendLetter } from './send-letters.ts'

const where = { device: { browser: null, system: null }, ip: null, at: '2026-11-21T14:05:00Z' }

const { pool, connection } = await testDatabase()
const db = pool.kysely
const smtp = await testSmtp()
const publicUrl = 'https://portal.example'
const mailFrom = { name: 'Portico', address: 'no-reply@portal.example' }
const mailer = smtpMailer({ smtpUrl: smtp.url, mailFrom, publicUrl }, 1000)
const logged: string[] = []
const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) })
const post = testPostOffice(pool, { mailer, publicUrl, log })
const running: JobRunner[] = []

afterEach(async () => {
  smtp.mode = 'accept'
  smtp.received.length = 0
  await Promise.all(running.splice(0).map((runner) => runner.stop()))
  await db.deleteFrom('outbox_letters').execute()
  await sql`delete from graphile_worker._private_jobs`.execute(db)
})

async function startQueue(more: { mailer?: Mailer | null } = {}) {
  const engines = only(new TestEngine())
  running.push(await startJobs({ ...post, ...more, connection, engines, log }))
}

let people = 0
async function write(to = `person-${++people}@example.com`, link = '/verify-email/1/s3cret-of-this-letter') {
  await db
    .transaction()
    .execute((tx) =>
      queueMail(
        { tx, vault: testVault },
        { to, language: 'ro', letter: { kind: 'verify-email', name: 'Ana', link, ...where } },
      ),
    )
  const { id } = await db
    .selectFrom('outbox_letters')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { id, to }
}

const rowOf = (id: number) =>
  db.selectFrom('outbox_letters').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Lets those that wait for their next try have it now. */
const hurry = () =>
  sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`.execute(db)

const soon = { timeout: 12_000, interval: 50 }

/** Tries as the queue does, until the letter is taken or given up. */
async function tryOnce(id: number, last = false): Promise<string | undefined> {
  return sendLetter(post, id, { last }).then(
    () => undefined,
    (error: Error) => error.message,
  )
}

test("a letter arrives once, in the recipient's language", async () => {
  await startQueue()
  const { id, to } = await write()
  await vi.waitFor(() => expect(smtp.received).toHaveLength(1), soon)
  const [{ raw, to: recipients } = { raw: '', to: [] }] = smtp.received
  const parsed = await PostalMime.parse(raw)
  expect(recipients).toEqual([to])
  expect(parsed.text).toContain('https://portal.example/verify-email/1/s3cret-of-this-letter')
  expect(parsed.subject).toBe('Confirmă adresa de e-mail pentru Portico')
  await vi.waitFor(async () => expect((await rowOf(id)).sent_at).not.toBeNull(), soon)
  expect(await rowOf(id)).toMatchObject({ attempts: 1, failed_at: null, last_error: null, sealed: null })
  expect(parsed.messageId).toBe(`<${(await rowOf(id)).message_id}@portal.example>`)
  expect(await tryOnce(id)).toBeUndefined()
  expect(smtp.received).toHaveLength(1)
})

test.each(['tempfail', 'tempfail-late', 'drop'] as const)('after %s it is tried again', async (mode) => {
  smtp.mode = mode
  await startQueue()
  const { id } = await write()
  await vi.waitFor(async () => expect((await rowOf(id)).last_error).not.toBeNull(), soon)
  expect(await rowOf(id)).toMatchObject({ sent_at: null, failed_at: null })
  smtp.mode = 'accept'
  await vi.waitFor(async () => {
    await hurry()
    expect((await rowOf(id)).sent_at).not.toBeNull()
  }, soon)
  expect(smtp.received).toHaveLength(1)
})

test('without a mail server a letter waits, and is sent once when one is set', async () => {
  await startQueue({ mailer: null })
  const { id } = await write()
  const jobs = () =>
    sql<{ n: number }>`select count(*)::int as n from graphile_worker._private_jobs`.execute(db)
  await vi.waitFor(async () => expect((await jobs()).rows[0]?.n).toBe(0), soon)
  expect(await rowOf(id)).toMatchObject({ attempts: 0, sent_at: null, failed_at: null, last_error: null })
  await Promise.all(running.splice(0).map((runner) => runner.stop()))
  // Twice, as two replicas do it; and a letter whose own job still waits.
  const later = await write()
  await requestWaitingLetters(db)
  await requestWaitingLetters(db)
  expect((await jobs()).rows[0]?.n).toBe(2)
  await startQueue()
  await vi.waitFor(async () => expect((await rowOf(later.id)).sent_at).not.toBeNull(), soon)
  expect((await rowOf(id)).sent_at).not.toBeNull()
  expect(smtp.received).toHaveLength(2)
})

test('a letter of a rolled back transaction was never written', async () => {
  await startQueue()
  const failed = db.transaction().execute(async (tx) => {
    const letter = { kind: 'verify-email', name: 'Ana', link: '/x', ...where } as const
    await queueMail({ tx, vault: testVault }, { to: 'never@example.com', language: 'en', letter })
    throw new Error('changed my mind')
  })
  await expect(failed).rejects.toThrow('changed my mind')
  const { to } = await write()
  await vi.waitFor(() => expect(smtp.received).toHaveLength(1), soon)
  expect(smtp.received.map((letter) => letter.to)).toEqual([[to]])
})

test('a nonexistent recipient is given up at once, with the reason and without an alert', async () => {
  smtp.mode = 'reject'
  const { id } = await write()
  expect(await tryOnce(id)).toBeUndefined()
  const row = await rowOf(id)
  expect(row).toMatchObject({ attempts: 1, sent_at: null })
  expect(row.last_error).toContain('5.1.1 No such user')
  expect(row.failed_at).not.toBeNull()
  expect(logged.join()).toContain('given up')
  smtp.mode = 'accept'
  expect(await tryOnce(id)).toBeUndefined()
  expect(smtp.received).toHaveLength(0)
})

test('the last try gives up', async () => {
  smtp.mode = 'tempfail'
  const { id } = await write()
  expect(await tryOnce(id)).toContain('Come back later')
  expect((await rowOf(id)).failed_at).toBeNull()
  expect(await tryOnce(id, true)).toContain('Come back later')
  expect((await rowOf(id)).failed_at).not.toBeNull()
  expect((await rowOf(id)).attempts).toBe(2)
})

test('a hundred failures of every sort leave one copy of each letter, all under its own Message-ID', async () => {
  const modes = ['tempfail', 'tempfail-late', 'drop', 'no-relay', 'tempfail'] as const
  const letters: number[] = []
  for (let i = 0; i < 20; i++) letters.push((await write()).id)
  let failures = 0
  for (const mode of modes) {
    smtp.mode = mode
    for (const id of letters) if ((await tryOnce(id)) !== undefined) failures++
  }
  expect(failures).toBe(100)
  expect(smtp.received).toHaveLength(0)
  smtp.mode = 'accept'
  for (const id of [...letters, ...letters]) expect(await tryOnce(id)).toBeUndefined()
  const ids = await Promise.all(smtp.received.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId))
  const rows = await db
    .selectFrom('outbox_letters')
    .select(['message_id', 'attempts'])
    .orderBy('id')
    .execute()
  expect(ids).toEqual(rows.map(({ message_id }) => `<${message_id}@portal.example>`))
  expect(new Set(rows.map(({ attempts }) => attempts))).toEqual(new Set([6]))
})

test('a server that keeps a letter and does not say so gets it again, under the same Message-ID', async () => {
  smtp.mode = 'keep-and-drop'
  const { id } = await write()
  expect(await tryOnce(id)).toBeDefined()
  smtp.mode = 'accept'
  expect(await tryOnce(id)).toBeUndefined()
  const ids = await Promise.all(smtp.received.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId))
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

test('a mail server that hangs slows neither requests nor other jobs', async () => {
  smtp.mode = 'hang'
  const { app } = await testApp(pool)
  const slowMailer = smtpMailer({ smtpUrl: smtp.url, mailFrom, publicUrl }, 3000)
  await startQueue({ mailer: slowMailer })
  for (let i = 0; i < 10; i++) await write()
  const before = smtp.connections
  await vi.waitFor(() => expect(smtp.connections).toBeGreaterThan(before), soon)
  const times: number[] = []
  for (let i = 0; i < 50; i++) {
    const begun = performance.now()
    await write()
    const { statusCode } = await app.inject('/auth/config')
    times.push(performance.now() - begun)
    expect(statusCode).toBe(200)
  }
  // Letters do not wait for the mail server, which answers after three seconds.
  expect(times.sort((a, b) => a - b)[45]).toBeLessThan(1500)
  // One letter is at the server; the other workers are free.
  const busy = await sql<{
    n: number
  }>`select count(*)::int as n from graphile_worker._private_jobs where locked_at is not null`.execute(db)
  expect(busy.rows[0]?.n).toBe(1)
  slowMailer.close()
})

/** Everything that the database keeps of letters and their jobs, as a dump would show it. */
async function dump(): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select l::text as line from outbox_letters l union all
    select encode(sealed, 'escape') from outbox_letters where sealed is not null union all
    select j::text || j.payload::text from graphile_worker._private_jobs j`.execute(db)
  return rows.map(({ line }) => line).join('\n')
}

test('the text of a letter is readable neither while it waits, nor in errors, nor afterwards', async () => {
  const { id, to } = await write(undefined, '/verify-email/1/s3cret-of-this-letter')
  const readable = () =>
    dump().then((text) => ['s3cret', 'Ana', 'L3ZlcmlmeS1lbWFpbC8'].filter((part) => text.includes(part)))
  expect(await dump()).toContain(to)
  expect(await readable()).toEqual([])
  smtp.mode = 'tempfail-late'
  await tryOnce(id)
  expect(await readable()).toEqual([])
  smtp.mode = 'accept'
  await tryOnce(id)
  expect((await rowOf(id)).sealed).toBeNull()
  expect(await readable()).toEqual([])
  expect(logged.join()).not.toContain('s3cret')
})

test('a demo keeps what its letters say, for its outbox', async () => {
  const { id } = await write()
  await sendLetter({ ...post, keepLetters: true }, id, { last: false })
  const { sealed, sent_at } = await rowOf(id)
  expect(sent_at).not.toBeNull()
  expect(sealed && JSON.parse(testVault.unseal(sealed))).toMatchObject({ kind: 'verify-email' })
})

test('a letter that cannot be opened any more fails without a word of it', async () => {
  const { id } = await write()
  await db
    .updateTable('outbox_letters')
    .set({ sealed: Buffer.from('no seal of ours') })
    .execute()
  expect(await tryOnce(id, true)).toBe(`Letter ${id} was not accepted: It failed: Error.`)
  expect((await rowOf(id)).failed_at).not.toBeNull()
})

test('the text of a failed letter is deleted after a week', async () => {
  smtp.mode = 'reject'
  const [early, late] = [await write(), await write()]
  for (const { id } of [early, late]) await tryOnce(id)
  const now = new Date()
  const before = new Date(now.getTime() - 7 * 86_400_000 - 1).toISOString()
  await db.updateTable('outbox_letters').set({ failed_at: before }).where('id', '=', early.id).execute()
  await pruneLetters(post, now)
  expect([(await rowOf(early.id)).sealed, (await rowOf(late.id)).sealed]).toEqual([null, expect.any(Buffer)])
})

test('letters are forgotten after ninety days', async () => {
  const { id } = await write()
  const old = await write()
  const now = new Date()
  const longAgo = new Date(now.getTime() - 91 * 86_400_000).toISOString()
  await db.updateTable('outbox_letters').set({ created_at: longAgo }).where('id', '=', old.id).execute()
  await pruneLetters(post, now)
  expect(await db.selectFrom('outbox_letters').select('id').execute()).toEqual([{ id }])
})

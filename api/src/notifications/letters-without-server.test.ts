import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { smtpMailer } from '#platform/mail/transport/smtp-mailer.ts'
import { testDatabase } from '#test/support/database.ts'
import { testPostOffice, testVault } from '#test/support/mail.ts'
import { testSmtp } from '#test/support/smtp.ts'
import { queueMail, requestWaitingLetters } from './queue-letter.ts'
import { pruneLetters, sendLetter } from './send-letters.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const smtp = await testSmtp()
const publicUrl = 'https://portal.example'
const mailFrom = { name: 'Portico', address: 'no-reply@portal.example' }
const mailer = smtpMailer({ smtpUrl: smtp.url, mailFrom, publicUrl }, 1000)
const post = testPostOffice(pool, { mailer, publicUrl })
const without = { ...post, mailer: null }
const letter = {
  kind: 'verify-email',
  name: 'Ana',
  link: '/x',
  device: { browser: null, system: null },
  ip: null,
  at: '2026-11-21T14:05:00Z',
} as const

let id = 0

beforeEach(async () => {
  await db
    .transaction()
    .execute((tx) => queueMail({ tx, vault: testVault }, { to: 'ana@example.com', language: 'en', letter }))
  id = (await db.selectFrom('outbox_letters').select('id').executeTakeFirstOrThrow()).id
})
afterEach(async () => {
  smtp.mode = 'accept'
  await db.deleteFrom('outbox_letters').execute()
  await sql`delete from graphile_worker._private_jobs`.execute(db)
})

const row = () => db.selectFrom('outbox_letters').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

async function jobs(): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from graphile_worker._private_jobs`.execute(db)
  return rows[0]?.n ?? 0
}

test('a letter that was tried before its mail server was removed waits for another', async () => {
  smtp.mode = 'tempfail'
  await expect(sendLetter(post, id, { last: false })).rejects.toThrow('was not accepted')
  expect(await row()).toMatchObject({ attempts: 1 })
  await sendLetter(without, id, { last: false })
  expect(await row()).toMatchObject({ attempts: 0, sent_at: null, failed_at: null })
  // As its job ended without an error.
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  await requestWaitingLetters(db)
  expect(await jobs()).toBe(1)
  smtp.mode = 'accept'
  await sendLetter(post, id, { last: false })
  expect(await row()).toMatchObject({ attempts: 1, sent_at: expect.anything() })
})

test('one that was sent or given up is left as it is', async () => {
  await sendLetter(post, id, { last: false })
  await sendLetter(without, id, { last: false })
  expect(await row()).toMatchObject({ attempts: 1, sent_at: expect.anything() })
})

test('one that waited a week is given up, and its text deleted', async () => {
  await pruneLetters(without, inDays(6))
  expect(await row()).toMatchObject({ failed_at: null, sealed: expect.anything() })
  await pruneLetters(without, inDays(8))
  expect(await row()).toMatchObject({ failed_at: expect.anything(), sealed: null })
  expect((await row()).last_error).toContain('No mail server')
})

test('one that waited a week is kept once a server is set, and is sent', async () => {
  await pruneLetters(post, inDays(8))
  expect(await row()).toMatchObject({ failed_at: null, sealed: expect.anything() })
  await sendLetter(post, id, { last: false })
  expect(await row()).toMatchObject({ sent_at: expect.anything() })
})

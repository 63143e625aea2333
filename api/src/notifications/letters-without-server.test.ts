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

test('letters that waited are queued by one statement as each was, and one that waits for its turn keeps it', async () => {
  const queue = (to: string, kind: 'asked' | 'run' = 'asked') =>
    sql`insert into outbox_letters (message_id, recipient, language, kind, sealed, send_at)
      select gen_random_uuid(), ${to}, 'en', ${kind === 'run' ? 'newsletter' : 'verify-email'}, sealed,
        now() + ${kind === 'run' ? '2 hours' : '0'}::interval from outbox_letters where id = ${id}`.execute(
      db,
    )
  for (let n = 0; n < 5; n++) await queue(`n${n}@example.com`)
  await queue('later@example.com', 'run')
  const queued = async () => {
    const { rows } =
      await sql<object>`select j.key, k.identifier, j.payload::text as payload, j.priority, j.max_attempts,
        q.queue_name as queue, j.run_at > now() + interval '1 hour' as later
      from graphile_worker._private_jobs j join graphile_worker._private_tasks k on k.id = j.task_id
        join graphile_worker._private_job_queues q on q.id = j.job_queue_id order by j.id`.execute(db)
    return rows
  }
  // What the letter itself queued is how one of them is queued.
  const [written] = await queued()
  const said: string[] = []
  const listening = db.withPlugin({
    transformQuery: ({ node }) => {
      said.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await requestWaitingLetters(listening)
  expect(said).toHaveLength(1)
  const all = await queued()
  const { rows } = await sql<{ id: number }>`select id from outbox_letters order by id`.execute(db)
  expect(all).toEqual(
    rows.map((row, at) => ({
      ...written,
      key: `letter-${row.id}`,
      payload: expect.stringMatching(new RegExp(`"letterId" ?: ?${row.id}\\D`)),
      ...(at === 6 && { priority: 0, later: true }),
    })),
  )
})

import { mailKinds } from '@portico/contract/rules/notification-kinds.ts'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { causes, choices, type Letter, type LetterKind } from '#notifications/letters/letters.ts'
import { makeAccount } from '#test/support/account.ts'
import { scrape, testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { lettersTo, newestLetter, testVault } from '#test/support/mail.ts'
import { anHour, askedLimits, queueMail } from './queue-letter.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const { app } = await testApp(pool)

afterEach(async () => {
  await db.deleteFrom('outbox_letters').execute()
  await sql`delete from graphile_worker._private_jobs`.execute(db)
})

const asked: Letter = { kind: 'password-reset', name: 'Ana', link: '/reset-password#t0ken' }
const notice: Letter = {
  kind: 'password-changed',
  name: 'Ana',
  remaining: { passkeys: 0, google: [], two_factor: false, api_keys: [] },
  device: { browser: null, system: null },
  ip: null,
  at: '2026-11-21T14:05:00Z',
}

const issued: Letter = {
  kind: 'invoice-issued',
  name: 'Ana',
  what: 'fiscal',
  number: 'HST-1',
  total: '12.00',
  currency: 'USD',
  due: null,
}
const answer: Letter = {
  kind: 'ticket-message',
  name: 'Ana',
  author: 'Sorin',
  lines: ['It is up again.'],
  files: [],
  number: '1',
  subject: 'Down',
  to: { ticketId: 1, kind: 'client', id: 1 },
}

const write = (to: string, letter: Letter, language = 'ro') =>
  db.transaction().execute((tx) => queueMail({ tx, vault: testVault }, { to, language, letter }))

async function writeMany(count: number, to: (i: number) => string, letter: Letter): Promise<number> {
  const before = await written()
  await db.transaction().execute(async (tx) => {
    for (let i = 0; i < count; i++)
      await queueMail({ tx, vault: testVault }, { to: to(i), language: 'en', letter })
  })
  return (await written()) - before
}

const written = async () =>
  (
    await db
      .selectFrom('outbox_letters')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n

/** The jobs of letters in the order that workers take them, and in how many minutes their turn comes. */
async function queued() {
  const { rows } = await sql<{ kind: LetterKind; minutes: number }>`
    select l.kind, (extract(epoch from j.run_at - now()) / 60)::float8 as minutes
    from graphile_worker._private_jobs j join outbox_letters l on l.id = (j.payload ->> 'letterId')::bigint
    order by j.priority, j.run_at, j.id`.execute(db)
  return rows
}

const later = async () => (await queued()).filter(({ minutes }) => minutes > 0.1)

const age = (hours: number) =>
  sql`update outbox_letters set created_at = created_at - ${`${hours} hours`}::interval,
    send_at = send_at - ${`${hours} hours`}::interval`.execute(db)

test("a letter is written in the recipient's language, by default in English", async () => {
  await write('ana@example.com', asked, 'ro')
  await write('ana@example.com', asked, 'de')
  const rows = await db.selectFrom('outbox_letters').select('language').orderBy('id').execute()
  expect(rows.map(({ language }) => language)).toEqual(['ro', 'en'])
  expect(await lettersTo(pool, 'ana@example.com')).toEqual([asked, asked])
  expect((await newestLetter(pool, 'ana@example.com', 'password-reset')).link).toBe('/reset-password#t0ken')
})

test('an address gets so many letters an hour that anybody can ask for, however it is typed', async () => {
  const to = (i: number) => (i % 2 ? 'Ana@Example.com' : 'ana@example.com')
  expect(await writeMany(15, to, asked)).toBe(askedLimits.address)
  expect(await writeMany(15, to, notice)).toBe(15)
  expect(await writeMany(1, () => 'bogdan@example.com', asked)).toBe(1)
  await age(1.1)
  expect(await writeMany(1, to, asked)).toBe(1)
})

/** As though so many letters had been written just now, each to an address of its own. */
const writtenBefore = (count: number, kind: LetterKind) =>
  sql`insert into outbox_letters (message_id, recipient, language, kind)
    select gen_random_uuid()::text, n || '@example.com', 'en', ${kind} from generate_series(1, ${count}::int) n`.execute(
    db,
  )

test('requested letters have a limit per hour, which notices do not share', async () => {
  const to = (i: number) => `person-${i}@example.com`
  await writtenBefore(askedLimits.all - 5, 'verify-email')
  expect(await writeMany(10, to, asked)).toBe(5)
  expect(await writeMany(30, to, notice)).toBe(30)
})

test('invoices to many are all written, at once, and stop no confirmation', async () => {
  await writtenBefore(3 * askedLimits.all, 'invoice-issued')
  expect(await writeMany(50, (i) => `client-${i}@example.com`, issued)).toBe(50)
  expect(await later()).toEqual([])
  expect(await writeMany(1, () => 'newcomer@example.com', asked)).toBe(1)
})

test('answers to one address are all written, and beyond so many an hour they leave an hour later', async () => {
  const to = (i: number) => (i % 2 ? 'Ana@Example.com' : 'ana@example.com')
  expect(await writeMany(anHour, to, answer)).toBe(anHour)
  expect(await later()).toEqual([])
  await age(0.5)
  expect(await writeMany(anHour + 5, to, answer)).toBe(anHour + 5)
  const minutes = (await later()).map((job) => Math.round(job.minutes))
  expect(minutes).toEqual([...Array.from({ length: anHour }, () => 30), 90, 90, 90, 90, 90])
  const { body } = await app.inject(scrape)
  expect(body).toContain(`portico_letters{state="waiting"} ${anHour}`)
  expect(body).toContain(`portico_letters{state="delayed"} ${anHour + 5}`)
  // The backlog of one address delays neither its notices nor the answers to another address.
  expect(await writeMany(1, to, notice)).toBe(1)
  expect(await writeMany(1, () => 'bogdan@example.com', answer)).toBe(1)
  expect(await later()).toHaveLength(anHour + 5)
})

test('letters that a person requested are sent before those of a batch', async () => {
  await writeMany(1, () => 'client@example.com', issued)
  await writeMany(1, () => 'ana@example.com', asked)
  await writeMany(1, () => 'ana@example.com', answer)
  expect((await queued()).map(({ kind }) => kind)).toEqual([
    'password-reset',
    'ticket-message',
    'invoice-issued',
  ])
})

test('the figures say how many wait and how many were given up; one that staff dropped is neither', async () => {
  await writeMany(4, () => 'ana@example.com', asked)
  const end = (last_error: string | null) =>
    db
      .updateTable('outbox_letters')
      .set({ failed_at: new Date().toISOString(), last_error })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('outbox_letters')
          .where('failed_at', 'is', null)
          .select((e) => e.fn.max('id').as('id')),
      )
      .execute()
  await end('550 no such mailbox')
  await end(null)
  const { body } = await app.inject(scrape)
  expect(body).toContain('portico_letters{state="waiting"} 2')
  expect(body).toContain('portico_letters{state="failed"} 1')
})

describe('an opted-out kind of letter', () => {
  test('is not written to their address, and everything else is', async () => {
    const { id, email } = await makeAccount(pool, { projects: 0, panels: 0 })
    await db
      .updateTable('clients')
      .set({ mail_off: ['invoice_issued'] })
      .where('id', '=', id)
      .execute()
    expect(await write(email.toUpperCase(), issued)).toBe(false)
    expect(await write('accounting@example.com', issued)).toBe(true)
    expect(await write(email, { kind: 'invitation-accepted', name: 'Ana', other: 'Ion', email })).toBe(true)
    expect(await lettersTo(pool, email)).toMatchObject([{ kind: 'invitation-accepted' }])
  })

  test('is never about safety, about money that runs out, or what was asked for', async () => {
    const { id, email } = await makeAccount(pool, { projects: 0, panels: 0 })
    const all = [...mailKinds]
    await db.updateTable('clients').set({ mail_off: all }).where('id', '=', id).execute()
    expect(Object.values(choices).sort()).toEqual(all.sort())
    // The keys are those of letters.
    const optional = Object.keys(choices) as LetterKind[]
    expect(
      optional.filter((kind) =>
        /password|factor|passkey|google|email|session|device|recovery|balance|account/.test(kind),
      ),
    ).toEqual([])
    expect(await write(email, notice)).toBe(true)
    expect(
      await write(email, {
        kind: 'balance-low',
        name: 'Ana',
        held: { amount: '1', currency: 'USD' },
        on: '2026-03-10',
      }),
    ).toBe(true)
    expect(optional.filter((kind) => causes[kind] === 'asked')).toEqual([])
  })
})

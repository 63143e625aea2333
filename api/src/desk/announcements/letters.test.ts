import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Vault } from '#platform/vault.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { lettersTo, testVault } from '#test/support/mail.ts'
import { businessTime } from '#test/support/money.ts'
import { person } from '#test/support/people.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { sendBatch } from './letters.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const url = `${base}/announcements`
const admin = portal.staff(await makeAdmin(pool, 'admin'))
const people: Account[] = []
for (let n = 0; n < 5; n += 1) people.push(await makeAccount(pool, { projects: 1, panels: n === 0 ? 1 : 0 }))
const [ana, ion, dan] = people as [Account, Account, Account]
const all = `id = any(array[${people.map(({ id }) => id).join()}]::int8[])`

beforeEach(async () => {
  await sql`delete from announcements`.execute(db)
  await sql`delete from outbox_letters`.execute(db)
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  await businessTime(pool, '2026-11-20T10:00:00Z')
  await sql`update clients set email_verified_at = now(), status = 1, closed_at = null, erased_at = null,
    language_id = (select id from languages where code = 'en') where ${sql.raw(all)}`.execute(db)
  await sql`update clients set email_verified_at = null where not ${sql.raw(all)}`.execute(db)
})

const words = {
  title_en: 'Maintenance tonight',
  title_ro: 'Mentenanță la noapte',
  body_en: 'Servers restart at 2.\nNothing is lost.',
  body_ro: 'Serverele repornesc la 2.',
  starts_at: '2026-11-20T09:00:00.000Z',
  ends_at: '2026-11-21T09:00:00.000Z',
  audience: 'all',
  of: null,
  about_service: true,
}

async function announce(more: object = {}): Promise<number> {
  const { json, status } = await admin.post(`${url}/-actions/announce`, { data: { ...words, ...more } })
  expect(status).toBe(200)
  return Number((json as { id: number }).id)
}
const send = (who: Visitor, id: number) => who.post(`${url}/${id}/-actions/sendLetters`, { data: {} })
const count = (who: Visitor, query = 'payload[audience]=all') =>
  who.get(`${url}/-actions/recipients?${query}`)
const read = async (id: number) => (await admin.get(`${url}/${id}`)).one.attributes
const codeOf = ({ status, errors }: { status: number; errors: readonly { code?: string }[] }) => [
  status,
  errors[0]?.code,
]
const jobs = async () =>
  (
    await sql<{ task: string }>`select task_identifier as task from graphile_worker.jobs
    where task_identifier = 'announcement.letters'`.execute(db)
  ).rows.length
const parts = { pool, vault: testVault }

/** Runs batches of two until the announcement is done, as the jobs do. */
async function sendAll(id: number): Promise<void> {
  for (let n = 0; n < 10 && (await read(id))?.letters_done_at === null; n += 1) await sendBatch(parts, id, 2)
}
const written = async () => {
  const rows = await sql<{
    to: string
  }>`select recipient as to from outbox_letters where kind in ('announcement', 'newsletter')`.execute(db)
  return rows.rows.map(({ to }) => to).sort()
}

test('each customer whom it concerns gets one letter, in their language, and the announcement counts them', async () => {
  await sql`update clients set language_id = (select id from languages where code = 'ro') where id = ${ion.id}`.execute(
    db,
  )
  const id = await announce({ by_letter: true })
  expect([await read(id), await jobs()]).toMatchObject([
    { letters: 0, letters_done_at: null, letters_asked_at: expect.stringMatching(/^2026-11-20T10:00/) },
    1,
  ])
  await sendAll(id)
  expect(await written()).toEqual(people.map(({ email }) => email).sort())
  expect(await lettersTo(pool, ana.email)).toMatchObject([
    { title: words.title_en, lines: ['Servers restart at 2.', 'Nothing is lost.'] },
  ])
  expect(await lettersTo(pool, ion.email)).toMatchObject([{ title: words.title_ro }])
  expect(await read(id)).toMatchObject({
    letters: 5,
    letters_done_at: expect.stringMatching(/^2026-11-20T10:00/),
  })
  await sendBatch(parts, id, 2)
  expect(await written()).toHaveLength(5)
})

test('the number is told before, and nobody is written to who is blocked, closed, unconfirmed or staff', async () => {
  const counted = async () => (await count(admin)).document
  expect(await counted()).toEqual({ recipients: 5 })
  await sql`update clients set status = 0 where id = ${ana.id}`.execute(db)
  await sql`update clients set status = 4, closed_at = now(), erased_at = now() where id = ${ion.id}`.execute(
    db,
  )
  await sql`update clients set email_verified_at = null where id = ${dan.id}`.execute(db)
  const member = await person(pool, 'sorin@example.com')
  await sql`update clients set email_verified_at = now() where id = ${member.id}`.execute(db)
  expect(await counted()).toEqual({ recipients: 3 })
  await sql`update admins set auth_id = ${member.accountId} where id = ${await makeAdmin(pool)}`.execute(db)
  expect(await counted()).toEqual({ recipients: 2 })
  const id = await announce({ by_letter: true })
  await sendAll(id)
  expect(await written()).toEqual([people[3]?.email, people[4]?.email].sort())
})

test('who is blocked between two batches gets no letter, and who registers meanwhile gets none either', async () => {
  const id = await announce({ by_letter: true })
  await sendBatch(parts, id, 2)
  await sql`update clients set status = 0 where id = ${people[4]?.id}`.execute(db)
  const late = await makeAccount(pool, { projects: 0 })
  await sql`update clients set email_verified_at = now() where id = ${late.id}`.execute(db)
  await sendAll(id)
  expect(await written()).toEqual(
    people
      .slice(0, 4)
      .map(({ email }) => email)
      .sort(),
  )
})

test('a batch that breaks off is repeated whole, and two at once write to nobody twice', async () => {
  const id = await announce({ by_letter: true })
  let sealed = 0
  const breaking: Vault = {
    ...testVault,
    seal: (text) => {
      sealed += 1
      if (sealed === 2) throw new Error('killed')
      return testVault.seal(text)
    },
  }
  await expect(sendBatch({ pool, vault: breaking }, id, 3)).rejects.toThrow('killed')
  expect([await written(), await jobs(), (await read(id))?.letters]).toEqual([[], 1, 0])
  await Promise.all([sendBatch(parts, id, 2), sendBatch(parts, id, 2), sendBatch(parts, id, 2)])
  await sendAll(id)
  expect(await written()).toEqual(people.map(({ email }) => email).sort())
  expect((await read(id))?.letters).toBe(5)
})

test('what has ended meanwhile is sent to nobody else', async () => {
  const id = await announce({ by_letter: true })
  await sendBatch(parts, id, 2)
  expect((await admin.post(`${url}/${id}/-actions/end`, { data: {} })).status).toBe(200)
  await sendAll(id)
  expect(await written()).toHaveLength(2)
  expect(await read(id)).toMatchObject({ letters: 2 })
})

test('one for an engine or a plan is sent to accounts with such panels alone', async () => {
  const { rows } = await sql<{ engine: string }>`select e.code as engine from panels p
    join panel_engines e on e.id = p.panel_engine_id where p.client_id = ${ana.id}`.execute(db)
  const of = rows[0]?.engine ?? ''
  expect((await count(admin, `payload[audience]=engine&payload[of]=${of}`)).document).toEqual({
    recipients: 1,
  })
  expect(codeOf(await count(admin, 'payload[audience]=plan&payload[of]=none'))).toEqual([
    422,
    'announcement_audience',
  ])
  const id = await announce({ audience: 'engine', of, by_letter: true })
  await sendAll(id)
  expect(await written()).toEqual([ana.email])
})

test('letters are sent once, later too, and not about what has ended', async () => {
  const id = await announce()
  expect(await jobs()).toBe(0)
  expect((await send(admin, id)).status).toBe(200)
  expect(codeOf(await send(admin, id))).toEqual([409, 'announcement_letters_asked'])
  const { list } = await admin.get(`${base}/staff-actions?filter[verb]=sendLetters`)
  expect(list.map(({ attributes }) => attributes)).toMatchObject([
    { ref: String(id), reason: 'A test asks for it' },
  ])
  const over = await announce()
  await businessTime(pool, '2026-11-21T10:00:00Z')
  expect(codeOf(await send(admin, over))).toEqual([409, 'announcement_over'])
})

test('only administrators count and send, with a reason', async () => {
  const id = await announce()
  for (const role of ['support', 'billing', 'readonly'] as const) {
    const staff = portal.staff(await makeAdmin(pool, role))
    expect([(await send(staff, id)).status, (await count(staff)).status]).toEqual([404, 403])
  }
  expect([(await send(portal.as(ana), id)).status, (await count(portal.as(ana))).status]).toEqual([404, 403])
  expect([(await send(portal.nobody, id)).status, (await count(portal.nobody)).status]).toEqual([401, 401])
  expect((await send(admin, 2_000_000_000)).status).toBe(404)
  expect((await count(admin, 'payload[audience]=some')).status).toBe(400)
  const path = `${url}/${id}/-actions/sendLetters`
  const bare = await admin.call('POST', path, { body: { data: {} }, headers: { 'portico-reason': '' } })
  expect(codeOf(bare)).toEqual([422, 'staff_reason_required'])
  expect((await read(id))?.letters_asked_at).toBe(null)
  expect(portal.bugs).toEqual([])
})

const mailOffOf = ({ id }: Account) => ({
  data: { type: 'clients', id: String(id), attributes: { mail_off: ['newsletter'] } },
})
const reach = async (kind: boolean) =>
  (await count(admin, `payload[audience]=all&payload[about_service]=${kind}`)).json
const news = { about_service: false, by_letter: true }

test('news is not sent to those who turned it off, and what is about the service is sent to everybody', async () => {
  expect((await portal.as(ana).patch(`${base}/clients/${ana.id}`, mailOffOf(ana))).status).toBe(200)
  expect([await reach(false), await reach(true)]).toEqual([{ recipients: 4 }, { recipients: 5 }])
  expect((await count(admin)).json).toEqual({ recipients: 4 })
  const id = await announce(news)
  expect(await read(id)).toMatchObject({ about_service: false })
  await sendAll(id)
  expect([(await read(id))?.letters, await written()]).toEqual([
    4,
    people
      .slice(1)
      .map(({ email }) => email)
      .sort(),
  ])
  expect(await lettersTo(pool, ion.email)).toMatchObject([
    { kind: 'newsletter', unsubscribe: expect.stringMatching(/^\/unsubscribe\/[\w-]{40,200}$/) },
  ])
  await sql`delete from outbox_letters`.execute(db)
  await sendAll(await announce({ by_letter: true }))
  expect(await lettersTo(pool, ana.email)).toMatchObject([{ kind: 'announcement' }])
  await sql`update clients set mail_off = '{}' where id = ${ana.id}`.execute(db)
})

import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { queueMail } from '#notifications/queue-letter.ts'
import { pruneLetters, sendLetter } from '#notifications/send-letters.ts'
import { makeAccount } from '#test/support/account.ts'
import { keyed } from '#test/support/card.ts'
import { makeBuyer } from '#test/support/documents.ts'
import { lettersTo, testPostOffice, testVault } from '#test/support/mail.ts'
import { person } from '#test/support/people.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const support = portal.staff((await makeMember(pool, 'support')).admin)
const readonly = portal.staff((await makeMember(pool, 'readonly')).admin)
const post = testPostOffice(pool)

afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

const stopped = { kind: 'panel-stopped', name: 'Ana', panel: 'shop', reason: 'Spam' } as const
const reset = { kind: 'password-reset', name: 'Ana', link: '/reset#s3cret' } as const

/** A letter that was sent. Returns its id. */
async function sent(to: string, letter: typeof stopped | typeof reset): Promise<number> {
  await db.transaction().execute((tx) => queueMail({ tx, vault: testVault }, { to, language: 'en', letter }))
  const { id } = await db
    .selectFrom('outbox_letters')
    .select('id')
    .where('recipient', '=', to)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await sendLetter(post, id, { last: false })
  return id
}
const resend = (id: number, key?: string, who = support) =>
  keyed(who, `${base}/desk-letters/${id}/-actions/resend`, { data: {} }, key)
const isRepeatable = async (id: number) =>
  (await support.get(`${base}/desk-letters/${id}`)).one.attributes?.repeatable

test('a letter about what staff did goes out again in the same words, once for each request', async () => {
  await person(pool, 'ana@letters.example')
  const id = await sent('ana@letters.example', stopped)
  expect(await isRepeatable(id)).toBe(true)
  const key = crypto.randomUUID()
  const again = await resend(id, key)
  const { letter_id } = again.json as { letter_id: number }
  expect([again.status, letter_id]).toEqual([200, expect.any(Number)])
  expect((await resend(id, key)).json).toEqual({ letter_id })
  expect(await lettersTo(pool, 'ana@letters.example')).toEqual([stopped, stopped])
  await sendLetter(post, letter_id, { last: false })
  const rows = await db
    .selectFrom('outbox_letters')
    .select(['message_id', 'sent_at'])
    .where('recipient', '=', 'ana@letters.example')
    .execute()
  expect(new Set(rows.map(({ message_id }) => message_id)).size).toBe(2)
  expect(rows.every(({ sent_at }) => sent_at !== null)).toBe(true)
  expect((await resend(id, undefined, readonly)).status).toBe(403)
})

test('a letter goes again to an address that a client has now, and to no former one', async () => {
  const ana = await person(pool, 'old@letters.example')
  await makeBuyer(pool, ana, { language: 'en' })
  const id = await sent('old@letters.example', stopped)
  await db.updateTable('clients').set({ email: 'new@letters.example' }).where('id', '=', ana.id).execute()
  expect((await resend(id)).faults).toEqual(['409 letter_address_left'])
  await sql`update client_entities set billing_emails = 'office@letters.example, Old@letters.example' where client_id = ${ana.id}`.execute(
    db,
  )
  expect((await resend(id)).status).toBe(200)
  const unknown = await sent('d@letters.example', stopped)
  expect((await resend(unknown)).faults).toEqual(['409 letter_address_left'])
})

test('a member sends thirty letters again in an hour, and letters of one kind to one address wait their turn', async () => {
  const { email } = await person(pool, 'flood@letters.example')
  const id = await sent(email, stopped)
  const one = portal.staff((await makeMember(pool, 'support')).admin)
  for (let count = 0; count < 30; count++) expect((await resend(id, undefined, one)).status).toBe(200)
  expect((await resend(id, undefined, one)).faults).toEqual(['429 letters_most'])
  await sql`insert into outbox_letters (message_id, recipient, language, kind)
    select gen_random_uuid(), ${email}, 'en', 'panel-stopped' from generate_series(1, 60)`.execute(db)
  const { letter_id } = (await resend(id)).json as { letter_id: number }
  const { rows } = await sql`select l.send_at > now() + interval '50 minutes' as late,
      (select j.run_at > now() + interval '50 minutes' from graphile_worker.jobs j where j.key = 'letter-' || l.id) as job
    from outbox_letters l where l.id = ${letter_id}`.execute(db)
  expect(rows).toEqual([{ late: true, job: true }])
})

test('a letter with a link is never kept, and the text of another is deleted after a week', async () => {
  const secret = await sent('bob@letters.example', reset)
  expect(await isRepeatable(secret)).toBe(false)
  expect((await resend(secret)).faults).toEqual(['409 letter_not_kept'])
  const id = await sent('bob@letters.example', stopped)
  await pruneLetters(post, new Date(Date.now() + 6 * 86_400_000))
  expect(await isRepeatable(id)).toBe(true)
  await pruneLetters(post, new Date(Date.now() + 8 * 86_400_000))
  expect(await isRepeatable(id)).toBe(false)
  expect((await resend(id)).faults).toEqual(['409 letter_not_kept'])
  expect(await lettersTo(pool, 'bob@letters.example')).toEqual([])
})

test('staff send the confirmation again to an address that waits for it, at most ten times an hour', async () => {
  const email = `${crypto.randomUUID()}@letters.example`
  const { id } = await person(pool, email, { verified: false })
  const again = () => support.post(`${base}/desk-clients/${id}/-actions/resendConfirmation`, { data: {} })
  expect((await support.get(`${base}/desk-clients/${id}`)).one.attributes?.email_verified_at).toBeNull()
  for (let one = 0; one < 10; one++) expect((await again()).json).toEqual({ status: 'queued' })
  expect((await again()).faults).toEqual(['429 letters_most'])
  const links = (await lettersTo(pool, email)).map((letter) => 'link' in letter && letter.link)
  expect(new Set(links).size).toBe(10)
  const known = await person(pool, `${crypto.randomUUID()}@letters.example`)
  const refused = await support.post(`${base}/desk-clients/${known.id}/-actions/resendConfirmation`, {
    data: {},
  })
  expect(refused.faults).toEqual(['409 client_email_confirmed'])
  const gone = await makeAccount(pool, { projects: 0, panels: 0 })
  const without = await support.post(`${base}/desk-clients/${gone.id}/-actions/resendConfirmation`, {
    data: {},
  })
  expect(without.faults).toEqual(['409 client_not_active'])
})

test('a letter leads to the client who has its address, and never to a member of staff', async () => {
  const { id, email } = await person(pool, `${crypto.randomUUID()}@letters.example`)
  const clientOf = async (to: string) =>
    (await support.get(`${base}/desk-letters/${await sent(to, stopped)}`)).one.attributes?.client_id
  expect(await clientOf(email.toUpperCase())).toBe(id)
  expect(await clientOf('nobody@letters.example')).toBeNull()
  expect(await clientOf((await makeMember(pool, 'support')).email)).toBeNull()
})

test('flags are seen and found by staff, and never by the client', async () => {
  const ana = await makeAccount(pool, { projects: 0, panels: 0 })
  const flag = (flags: readonly string[], who = support) =>
    who.post(`${base}/desk-clients/${ana.id}/-actions/flag`, { data: { flags } })
  expect((await flag(['watch', 'vip', 'vip'])).json).toEqual({ flags: ['vip', 'watch'] })
  expect((await flag(['famous'])).status).toBe(422)
  expect((await flag(['vip'], readonly)).status).toBe(403)
  const found = async (name: string) =>
    (await support.get(`${base}/desk-clients?filter[flag]=${name}`)).list.map(({ id }) => id)
  expect(await found('vip')).toEqual([String(ana.id)])
  expect(await found('partner')).toEqual([])
  const own = await portal.as(ana).get(`${base}/clients/${ana.id}`)
  expect(own.status).toBe(200)
  expect(JSON.stringify(own.json)).not.toContain('watch')
  expect((await flag([])).json).toEqual({ flags: [] })
  expect(await found('vip')).toEqual([])
  const { rows } = await sql<{ after: object }>`select c.after from staff_action_changes c
    join staff_actions a on a.id = c.action_id where a.verb = 'flag' and a.client_id = ${ana.id} order by a.id`.execute(
    db,
  )
  expect(rows).toMatchObject([{ after: { flags: ['vip', 'watch'] } }, { after: { flags: [] } }])
})

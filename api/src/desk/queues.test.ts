import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { queueMail } from '#notifications/queue-letter.ts'
import { sendLetter } from '#notifications/send-letters.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { makeAccount } from '#test/support/account.ts'
import { testPostOffice, testVault } from '#test/support/mail.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const roles = ['support', 'billing', 'admin', 'readonly'] as const
const staff = Object.fromEntries(
  await Promise.all(roles.map(async (role) => [role, portal.staff(await makeAdmin(pool, role))])),
) as Record<(typeof roles)[number], Visitor>

beforeEach(async () => {
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  await sql`delete from outbox_letters`.execute(db)
})

const secret = 's3cret-of-a-letter'

async function write(to: string): Promise<number> {
  const letter = { kind: 'password-reset', name: 'Ana', link: `/reset-password#${secret}` } as const
  await queueMail({ tx: db, vault: testVault }, { to, language: 'en', letter })
  const { id } = await db
    .selectFrom('outbox_letters')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return id
}

const failLetter = (id: number, error = 'No such user') =>
  db
    .updateTable('outbox_letters')
    .set({ failed_at: sql<string>`now()`, last_error: error, attempts: 10 })
    .where('id', '=', id)
    .execute()
const act = (by: Visitor, type: string, id: number, verb: string) =>
  by.post(`${base}/${type}/${id}/-actions/${verb}`, { data: {} })
const letters = async (by: Visitor, query = '') => (await by.get(`${base}/desk-letters?${query}`)).list
const jobs = async (by: Visitor, query = '') => (await by.get(`${base}/desk-jobs?${query}`)).list

test('staff read the heads of letters and no text, link or key of them', async () => {
  const ana = await makeAccount(pool, { projects: 0, panels: 0 })
  await write(ana.email.toUpperCase())
  const other = await write('other@example.com')
  await failLetter(other, `550 blocked: https://portal.example/reset-password#${secret} is bad\nmore`)
  for (const role of roles) {
    const answer = await staff[role].get(`${base}/desk-letters`)
    expect([role, answer.list.length]).toEqual([role, 2])
    expect(JSON.stringify(answer.json)).not.toMatch(/s3cret|sealed|message_id|reset-password#/)
  }
  const own = await letters(staff.support, `filter[client_id]=${ana.id}`)
  expect(own.map(({ attributes }) => [attributes?.state, attributes?.kind])).toEqual([
    ['waiting', 'password-reset'],
  ])
  const [failed, ...others] = await letters(staff.support, 'filter[state]=failed')
  expect(others).toEqual([])
  expect(failed?.attributes).toMatchObject({
    recipient: 'other@example.com',
    last_error: '550 blocked: https://portal.example is bad',
    attempts: 10,
  })
})

test('an administrator sends a failed letter again, once, and it arrives', async () => {
  const id = await write('ana@example.com')
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  const refused = ['409 letter_not_failed']
  expect((await act(staff.admin, 'desk-letters', id, 'retry')).faults).toEqual(refused)
  await failLetter(id)
  expect((await act(staff.admin, 'desk-letters', id, 'retry')).json).toEqual({ state: 'waiting' })
  expect((await act(staff.admin, 'desk-letters', id, 'retry')).faults).toEqual(refused)
  expect((await jobs(staff.admin)).map(({ attributes }) => [attributes?.task, attributes?.about])).toEqual([
    ['mail.send', `letter ${id}`],
  ])
  const office = testPostOffice(pool)
  await sendLetter(office, id, { last: false })
  expect((await letters(staff.admin))[0]?.attributes?.state).toBe('sent')
})

test('a dropped letter loses its text and is not sent; one without its text is not retried', async () => {
  const id = await write('ana@example.com')
  expect((await act(staff.admin, 'desk-letters', id, 'drop')).json).toEqual({ state: 'dropped' })
  const { sealed } = await db
    .selectFrom('outbox_letters')
    .select('sealed')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(sealed).toBeNull()
  await sendLetter(testPostOffice(pool), id, { last: false })
  expect((await letters(staff.admin))[0]?.attributes?.state).toBe('dropped')
  expect((await act(staff.admin, 'desk-letters', id, 'retry')).faults).toEqual(['409 letter_not_failed'])
  expect((await act(staff.admin, 'desk-letters', id, 'drop')).faults).toEqual(['409 letter_not_waiting'])
})

test('support, billing, those who only read, and clients change no letter and no job', async () => {
  const id = await write('ana@example.com')
  await failLetter(id)
  const [job] = await jobs(staff.admin)
  const ana = portal.as(await makeAccount(pool, { projects: 0, panels: 0 }))
  for (const verb of ['retry', 'drop']) {
    for (const role of ['support', 'billing', 'readonly'] as const)
      expect((await act(staff[role], 'desk-letters', id, verb)).status).toBe(403)
    for (const role of ['support', 'readonly'] as const)
      expect((await act(staff[role], 'desk-jobs', Number(job?.id), verb)).status).toBe(403)
    expect((await act(staff.billing, 'desk-jobs', Number(job?.id), verb)).status).toBe(404)
    for (const type of ['desk-letters', 'desk-jobs'])
      expect((await act(ana, type, id, verb)).status).toBe(404)
  }
  expect((await jobs(staff.billing)).length).toBe(0)
})

test('jobs show what they are about and why they failed, without secrets of their payload', async () => {
  await enqueue(db, 'panel.sync', { panelId: 7 })
  await enqueue(db, 'card.detach', { provider: 'stripe', ref: 'pm_s3cret' })
  await sql`update graphile_worker._private_jobs set attempts = max_attempts,
    last_error = 'Refused by https://engine.example/panels/7?token=s3cret' || chr(10) || 'at s3cret'
    where payload ->> 'panelId' = '7'`.execute(db)
  const answer = await staff.support.get(`${base}/desk-jobs?sort=run_at`)
  expect(JSON.stringify(answer.json)).not.toContain('s3cret')
  const [failed, ...others] = await jobs(staff.readonly, 'filter[state]=failed')
  expect(others).toEqual([])
  expect(failed?.attributes).toMatchObject({
    task: 'panel.sync',
    about: 'panel 7',
    state: 'failed',
    last_error: 'Refused by https://engine.example',
  })
  expect(
    (await jobs(staff.support, 'filter[task]=card.detach')).map(({ attributes }) => attributes?.about),
  ).toEqual([null])
})

test('a failed job is retried with all its attempts, or dropped; one that runs is left alone', async () => {
  await enqueue(db, 'panel.sync', { panelId: 7 })
  await sql`update graphile_worker._private_jobs set attempts = max_attempts`.execute(db)
  const [job] = await jobs(staff.admin)
  const id = Number(job?.id)
  expect((await act(staff.admin, 'desk-jobs', id, 'retry')).json).toEqual({ task: 'panel.sync' })
  expect((await jobs(staff.admin))[0]?.attributes).toMatchObject({ state: 'waiting', attempts: 0 })
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'w'`.execute(db)
  expect((await jobs(staff.admin))[0]?.attributes?.state).toBe('running')
  for (const verb of ['retry', 'drop'])
    expect((await act(staff.admin, 'desk-jobs', id, verb)).faults).toEqual(['409 job_busy'])
  await sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null`.execute(db)
  expect((await act(staff.admin, 'desk-jobs', id, 'drop')).status).toBe(200)
  expect(await jobs(staff.admin)).toEqual([])
  const { rows } = await sql`select verb from staff_actions where type = 'desk-jobs' order by id`.execute(db)
  expect(rows).toEqual([{ verb: 'retry' }, { verb: 'drop' }])
})

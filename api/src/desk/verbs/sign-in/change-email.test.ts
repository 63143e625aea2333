import { randomUUID } from 'node:crypto'
import { base } from '@portico/contract/wire.ts'
import { expect, test } from 'vitest'
import { lettersTo } from '#test/support/mail.ts'
import { person } from '#test/support/people.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const one = portal.staff(await makeAdmin(pool, 'admin'))
const other = portal.staff(await makeAdmin(pool, 'admin'))

const ask = (who: Visitor, client: number, email: string) =>
  who.call('POST', `${base}/desk-requests/-actions/ask`, {
    body: { data: { verb: 'changeEmail', ref: String(client), input: { email } } },
    headers: { 'idempotency-key': randomUUID() },
  })
const approve = (id: number) => other.post(`${base}/desk-requests/${id}/-actions/approve`, { data: {} })
const addressOf = async (id: number) =>
  (await pool.kysely.selectFrom('clients').select('email').where('id', '=', id).executeTakeFirst())?.email

test('two administrators begin the change of an address: both addresses are written to, and the new one confirms', async () => {
  const { id } = await person(pool, 'old@example.test')
  const { id: mara } = await person(pool, 'mara@example.test')
  const alone = await one.post(`${base}/desk-clients/${id}/-actions/changeEmail`, {
    data: { email: 'new@example.test' },
  })
  expect(alone.faults).toEqual(['403 second_person_required'])
  const support = portal.staff(await makeAdmin(pool))
  expect((await ask(support, id, 'new@example.test')).status).toBe(403)
  for (const [email, code] of [
    ['old@example.test', 'email_unchanged'],
    ['mara@example.test', 'email_taken'],
    ['none', 'email_invalid'],
  ] as const)
    expect((await ask(one, id, email)).errors[0]?.code, email).toBe(code)

  const asked = await ask(one, id, 'new@example.test')
  expect(asked.status).toBe(200)
  expect(await lettersTo(pool, 'new@example.test')).toEqual([])
  expect((await approve((asked.json as { request_id: number }).request_id)).status).toBe(200)
  expect(await lettersTo(pool, 'new@example.test')).toMatchObject([{ kind: 'email-change-confirm' }])
  expect(await lettersTo(pool, 'old@example.test')).toMatchObject([
    { kind: 'email-change-by-staff', email: 'new@example.test', reason: 'A test asks for it' },
  ])
  // It changes when the link is followed, not before.
  expect(await addressOf(id)).toBe('old@example.test')

  // The address was taken between the request and its approval.
  const late = await ask(one, mara, 'late@example.test')
  await person(pool, 'late@example.test')
  expect((await approve((late.json as { request_id: number }).request_id)).faults).toEqual([
    '409 email_taken',
  ])
  expect(portal.bugs).toEqual([])
})

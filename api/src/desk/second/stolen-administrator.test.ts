import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { keyed } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { lettersTo } from '#test/support/mail.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely

beforeAll(async () => {
  await makeOperator(pool)
  await sql`update operator_profile set base_currency = 'USD'`.execute(db)
})
afterAll(() => expect(portal.bugs).toEqual([]))

type Role = Parameters<typeof makeMember>[1]
const member = async (role: Role) => {
  const { admin, email } = await makeMember(pool, role)
  return { id: admin, email, call: portal.staff(admin) }
}
const ask = (who: Visitor, data: { verb: string; ref: string | null; input: object }) =>
  keyed(who, `${base}/desk-requests/-actions/ask`, { data })
const addApp = (id: number) =>
  sql`insert into auth_totp (account_id, secret_sealed, enabled_at)
    select auth_id, '\\x00', now() from admins where id = ${id}
    on conflict (account_id) do update set secret_sealed = '\\\\x00', enabled_at = now()`.execute(db)

test('a member whose second factor an administrator removed asks for nothing for three days', async () => {
  const thief = await member('admin')
  const billing = await member('billing')
  const ana = await makeAccount(pool)
  const wish = { verb: 'goodwill', ref: String(ana.id), input: { amount: 4000 } }
  await addApp(billing.id)
  const before = await ask(billing.call, wish)
  expect(before.status).toBe(200)
  const reset = await thief.call.post(`${base}/desk-staff/${billing.id}/-actions/resetFactors`, { data: {} })
  expect(reset.status).toBe(200)
  // The thief has added a second factor of their own.
  await addApp(billing.id)
  expect((await ask(billing.call, wish)).faults).toEqual(['403 request_too_new'])
  await sql`update admins set rights_since = now() - interval '73 hours' where id = ${billing.id}`.execute(db)
  expect((await ask(billing.call, wish)).status).toBe(200)
})

const onStaff = (who: Visitor, id: number, verb: string, data: object = {}) =>
  who.post(`${base}/desk-staff/${id}/-actions/${verb}`, { data })

test.each([
  ['disabled', (chief: Visitor, id: number) => onStaff(chief, id, 'disable')],
  ['signed out', (chief: Visitor, id: number) => onStaff(chief, id, 'endSessions')],
  [
    'made a member of support',
    async (chief: Visitor, id: number) => {
      const other = await member('admin')
      const wish = { verb: 'setRole', ref: String(id), input: { role: 'support' } }
      const { json } = await ask(chief, wish)
      const { request_id } = json as { request_id: number }
      return other.call.post(`${base}/desk-requests/${request_id}/-actions/approve`, { data: {} })
    },
  ],
])('invitations of an administrator who is %s open no account', async (what, end) => {
  const [chief, thief] = [await member('admin'), await member('admin')]
  const invite = (who: Visitor, email: string) =>
    who.post(`${base}/desk-staff/-actions/invite`, {
      data: { email, display_name: 'Ioana', role: 'billing', language: 'en' },
    })
  const [accomplice, colleague] = [`a-${thief.id}@example.test`, `c-${thief.id}@example.test`]
  expect((await invite(thief.call, accomplice)).status).toBe(200)
  expect((await invite(chief.call, colleague)).status).toBe(200)
  const state = async (email: string) => {
    const { rows } =
      await sql`select invited_until > now() as open from admins where email = ${email}`.execute(db)
    return rows
  }
  expect([what, (await end(chief.call, thief.id)).status]).toEqual([what, 200])
  expect(await state(accomplice)).toEqual([{ open: false }])
  expect(await state(colleague)).toEqual([{ open: true }])
})

test('a request to invite an administrator carries no name but that of the invited', async () => {
  const chief = await member('admin')
  const other = await member('admin')
  const input = { email: 'invited@example.test', display_name: 'Ion', language: 'en' }
  for (const ref of [String(other.id), 'abc', '1e3'])
    expect((await ask(chief.call, { verb: 'inviteAdmin', ref, input })).faults).toEqual([
      '422 field_unknown /data/ref',
    ])
  expect(await lettersTo(pool, other.email)).toEqual([])
  expect((await ask(chief.call, { verb: 'setRole', ref: 'abc', input: { role: 'admin' } })).status).toBe(404)
  expect((await ask(chief.call, { verb: 'inviteAdmin', ref: null, input })).status).toBe(200)
})

import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Account } from '#test/support/account.ts'
import { keyed, makePayer } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { lettersTo } from '#test/support/mail.ts'
import { used } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'

// Requests for a second person, decided by several at once or past their rules.

const portal = await testPortal({ poolSize: 12 })
const { pool } = portal
const db = pool.kysely
type Member = { readonly id: number; readonly email: string; readonly call: Visitor }
let ana: Account
let asker: Member
let chief: Member
let other: Member

const member = async (role: 'support' | 'billing' | 'admin'): Promise<Member> => {
  const { admin, email } = await makeMember(pool, role)
  return { id: admin, email, call: portal.staff(admin) }
}

beforeAll(async () => {
  await makeOperator(pool)
  await sql`update operator_profile set base_currency = 'USD'`.execute(db)
})
beforeEach(async () => {
  asker = await member('support')
  chief = await member('admin')
  other = await member('admin')
  ana = await makePayer(portal)
})
afterEach(async () => {
  expect(portal.bugs.splice(0)).toEqual([])
  expect(await verifyLedger(db)).toEqual([])
})

const url = `${base}/desk-requests`
const ask = ({ call }: Member, more: object = {}) =>
  keyed(call, `${url}/-actions/ask`, {
    data: { verb: 'goodwill', ref: String(ana.id), input: { amount: 400 }, ...more },
  })
async function asked(who = asker, more: object = {}): Promise<number> {
  const answer = await ask(who, more)
  expect([answer.status, answer.faults]).toEqual([200, []])
  return (answer.json as { request_id: number }).request_id
}
const decide = ({ call }: Member, id: number, verb: string) =>
  call.post(`${url}/${id}/-actions/${verb}`, { data: {} })
const credit = async () =>
  (await portal.as(ana).get(`${base}/account-balances`)).list[0]?.attributes?.credit_balance

test('of an approval, a refusal and a withdrawal at the same time one counts, and money follows it', async () => {
  let approved = 0
  for (let round = 0; round < 8; round++) {
    const id = await asked()
    const answers = await Promise.all([
      decide(asker, id, 'withdraw'),
      decide(chief, id, 'approve'),
      decide(other, id, 'decline'),
      decide(other, id, 'approve'),
    ])
    const states = answers.flatMap(({ status, json }) => (status === 200 ? [Object(json).state] : []))
    expect(states).toHaveLength(1)
    expect((await chief.call.get(`${url}/${id}`)).one.attributes?.state).toBe(states[0])
    if (states[0] === 'approved') approved += 1
    expect(await credit()).toBe(400 * approved)
  }
})

test('a person who is disabled while their request is approved moves money before that or never', async () => {
  for (let round = 0; round < 6; round++) {
    const leaving = await member('support')
    const id = await asked(leaving)
    const before = Number(await credit())
    const [approval, disabling] = await Promise.all([
      decide(chief, id, 'approve'),
      other.call.post(`${base}/desk-staff/${leaving.id}/-actions/disable`, { data: {} }),
    ])
    expect(disabling.status).toBe(200)
    expect([200, 409]).toContain(approval.status)
    expect(await credit()).toBe(before + (approval.status === 200 ? 400 : 0))
    expect((await decide(chief, id, 'approve')).status).not.toBe(200)
  }
})

test('two requests about one bill are approved once', async () => {
  const [one, two] = [await member('billing'), await member('billing')]
  await used(db, ana, ['2026-10-05'], '2000')
  const bill = await db
    .transaction()
    .execute((tx) => closeMonth(tx, ana.id, { from: '2026-10-01', until: '2026-11-01' }))
  const wish = { verb: 'writeOff', ref: String(bill?.id), input: {} }
  const [first, second] = [await asked(one, wish), await asked(two, wish)]
  const answers = await Promise.all([decide(chief, first, 'approve'), decide(other, second, 'approve')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  expect((await decide(chief, first, 'approve')).status).not.toBe(200)
  expect((await decide(other, second, 'approve')).status).not.toBe(200)
})

test('nobody writes a request but by its verbs, and what was asked for stays as it was', async () => {
  const id = await asked()
  const attributes = { input: { amount: 1 }, ref: '1', decision: 'approved', ends_at: '2030-01-01T00:00:00Z' }
  for (const { call } of [asker, chief]) {
    const document = { data: { type: 'desk-requests', id: String(id), attributes } }
    const answers = [
      await call.patch(`${url}/${id}`, document),
      await call.delete(`${url}/${id}`),
      await call.post(url, { data: { type: 'desk-requests', attributes } }),
      await call.post(`${url}/${id}/-actions/approve`, { data: { input: { amount: 1 } } }),
    ]
    for (const { status } of answers) expect([403, 404, 405, 422]).toContain(status)
  }
  expect((await decide(chief, id, 'approve')).status).toBe(200)
  expect(await credit()).toBe(400)
})

test('withdrawing makes no room for more letters: a stolen session would hide one request among many', async () => {
  for (let one = 0; one < 20; one++) await decide(asker, await asked(), 'withdraw')
  expect((await ask(asker)).faults[0]).toMatch(/^409 requests_too_many\b/)
  expect(await lettersTo(pool, chief.email)).toHaveLength(20)
})

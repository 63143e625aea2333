import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { amountsInput, daysInput } from '#test/support/operator-input.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const admin = portal.staff(await makeAdmin(pool, 'admin'))
const billing = portal.staff(await makeAdmin(pool, 'billing'))
const url = `${base}/policy-changes`

const act = async (path: string, data: object, reason: string) => {
  const headers = { 'portico-reason': encodeURIComponent(reason) }
  const answer = await admin.call('POST', `${base}/${path}`, { body: { data }, headers })
  expect(answer.status).toBe(200)
}
const changesFor = async (who: Visitor) => (await who.get(url)).list.map(({ attributes }) => attributes)

test('a change of the rules is listed with who, why, and both values', async () => {
  const { list } = await admin.get(`${base}/currency-policies`)
  const euro = list.find(({ attributes }) => attributes?.currency === 'EUR')
  const [days] = (await admin.get(`${base}/billing-policies`)).list
  const wanted = { ...daysInput, suspend_days: 41, low_days: [2, 9] }
  await act('billing-policies/1/-actions/editPolicy', { ...daysInput }, 'The rules of the start')
  await act('billing-policies/1/-actions/editPolicy', wanted, 'More time to pay')
  const edit = `currency-policies/${euro?.id}/-actions/editAmounts`
  await act(edit, amountsInput, 'The amounts of the start')
  await act(edit, { ...amountsInput, credit_limit: 123.45 }, 'Larger clients')
  // Other acts of staff are no changes of rules.
  const ana = await makeAccount(pool, { projects: 0, panels: 0 })
  await act(`desk-clients/${ana.id}/-actions/flag`, { flags: ['vip'] }, 'An old client')
  expect(days?.attributes?.suspend_days).not.toBe(41)

  const [amounts, , rules] = await changesFor(billing)
  expect(amounts).toMatchObject({
    admin_name: expect.stringMatching(/\S/),
    reason: 'Larger clients',
    changes: [
      {
        policy: 'currency-policies',
        currency: 'EUR',
        field: 'credit_limit',
        before: amountsInput.credit_limit,
        after: 123.45,
      },
    ],
  })
  const plain = { policy: 'billing-policies', currency: null }
  expect(rules).toMatchObject({
    reason: 'More time to pay',
    changes: [
      { ...plain, field: 'low_days', before: daysInput.low_days, after: [2, 9] },
      { ...plain, field: 'suspend_days', before: daysInput.suspend_days, after: 41 },
    ],
  })
  expect(JSON.stringify(await changesFor(billing))).not.toContain('An old client')
})

test('the rules of access are listed for administrators alone', async () => {
  const before = await changesFor(billing)
  await act('access-policies/1/-actions/editAccess', { views_without_consent: true }, 'A large client asks')
  const [first] = await changesFor(admin)
  expect(first).toMatchObject({
    reason: 'A large client asks',
    changes: [{ policy: 'access-policies', field: 'views_without_consent', before: false, after: true }],
  })
  expect(await changesFor(billing)).toEqual(before)
  const { rows } = await sql<{ id: number }>`select max(id) as id from staff_actions`.execute(db)
  const statuses = await Promise.all([admin, billing].map((who) => who.get(`${url}/${rows[0]?.id}`)))
  expect(statuses.map(({ status }) => status)).toEqual([200, 404])
})

test('support, clients and strangers find no changes of rules', async () => {
  const support = portal.staff(await makeAdmin(pool, 'support'))
  expect((await support.get(url)).page.total).toBe(0)
  const ana = await makeAccount(pool, { projects: 0, panels: 0 })
  for (const who of [portal.as(ana), portal.nobody]) expect((await who.get(url)).status).toBe(404)
  expect((await portal.staff(await makeAdmin(pool, 'readonly')).get(url)).page.total).toBeGreaterThan(0)
})

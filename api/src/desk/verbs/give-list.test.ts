import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { businessTime } from '#test/support/money.ts'
import { Browser } from '#test/support/people.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const billing = portal.staff(await makeAdmin(pool, 'billing'))
const ana = await makeAccount(pool, { projects: 0, panels: 0 })
const url = `${base}/desk-clients/${ana.id}`

beforeAll(async () => {
  await businessTime(pool, '2026-11-20T10:00:00Z')
  await sql`insert into price_lists (code, currency) values ('agencies', 'USD'), ('friends', 'USD'), ('firme', 'RON')`.execute(
    db,
  )
  for (const [list, price] of [
    ['agencies', '0.002'],
    ['friends', '0.001'],
  ])
    await sql`insert into prices (price_list_id, meter_id, valid, unit_price)
      select l.id, m.id, '[2020-01-01,)', ${price}::numeric from price_lists l, meters m
      where l.code = ${list} and m.code = 'cpu_hours'`.execute(db)
})

const give = (who: Visitor, list: string | null, from: string) =>
  who.post(`${url}/-actions/giveList`, { data: { list, from } })
const faults = ({ errors }: Awaited<ReturnType<typeof give>>) =>
  errors.map(({ status, code, source }) => `${status} ${code} ${source?.pointer?.replace(/.*\//, '')}`)
const lists = async () => (await billing.get(url)).one.attributes?.price_lists
/** The price of a processor hour for the client on a day. */
const pricesOn = async (day: string) => {
  await businessTime(pool, `${day}T10:00:00Z`)
  const { list } = await billing.get(
    `${base}/prices?filter[client_id]=${ana.id}&filter[meter]=cpu_hours&filter[on]=${day}`,
  )
  await businessTime(pool, '2026-11-20T10:00:00Z')
  return list.map(({ attributes }) => attributes?.unit_price).sort()
}

test('a client is charged by a list from a day on, then by another, then by the default prices', async () => {
  expect(await lists()).toEqual([])
  expect(faults(await give(billing, 'agencies', '2026-12-01'))).toEqual([])
  expect(faults(await give(billing, 'friends', '2027-01-01'))).toEqual([])
  expect(await lists()).toEqual([
    { code: 'agencies', from_day: '2026-12-01', to_day: '2027-01-01' },
    { code: 'friends', from_day: '2027-01-01', to_day: null },
  ])
  expect([await pricesOn('2026-11-30'), await pricesOn('2026-12-15'), await pricesOn('2027-01-01')]).toEqual([
    [0.0029],
    [0.002, 0.0029],
    [0.001, 0.0029],
  ])
  // A list that was planned for later is replaced.
  expect(faults(await give(billing, null, '2026-12-20'))).toEqual([])
  expect(await lists()).toEqual([{ code: 'agencies', from_day: '2026-12-01', to_day: '2026-12-20' }])
  const { list } = await portal
    .staff(await makeAdmin(pool, 'admin'))
    .get(`${base}/staff-actions?filter[origin]=desk&sort=-at&page[size]=1`)
  expect(list[0]?.attributes).toMatchObject({ verb: 'giveList', client_id: ana.id })
  expect(JSON.stringify(list[0]?.attributes?.changes)).toContain('2026-12-20')
})

test('ten lists given at once leave one for each day', async () => {
  const codes = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? 'agencies' : 'friends'))
  const answers = await Promise.all(codes.map((code) => give(billing, code, '2027-03-01')))
  expect(answers.map(({ status }) => status)).toEqual(codes.map(() => 200))
  expect(await lists()).toEqual([
    { code: 'agencies', from_day: '2026-12-01', to_day: '2026-12-20' },
    { code: expect.stringMatching(/agencies|friends/), from_day: '2027-03-01', to_day: null },
  ])
})

test.each([
  ['agencies', '2026-11-20', '422 price_list_from_past from'],
  ['nothing', '2027-05-01', '422 price_list_unknown list'],
  ['standard', '2027-05-01', '422 price_list_unknown list'],
  ['firme', '2027-05-01', '422 price_list_currency list'],
])('%s from %s is refused, and nothing changes', async (list, from, fault) => {
  const before = await lists()
  expect(faults(await give(billing, list, from))).toEqual([fault])
  expect(await lists()).toEqual(before)
})

test('only those who work with money give lists, after a sign-in of the last minutes', async () => {
  for (const who of [portal.nobody, portal.as(ana)])
    expect((await give(who, null, '2027-05-01')).status).toBe(404)
  for (const role of ['support', 'readonly'] as const)
    expect((await give(portal.staff(await makeAdmin(pool, role)), null, '2027-05-01')).status).toBe(403)
  const member = await makeMember(pool, 'billing')
  const { app } = await testApp(pool)
  const browser = new Browser(app)
  await browser.signIn(member.email)
  await sql`update auth_sessions set authenticated_at = now() - interval '11 minutes'`.execute(db)
  const answer = await browser.ask({
    method: 'POST',
    url: `${url}/-actions/giveList`,
    headers: { authorization: `Bearer ${browser.cookies.get('token')}`, 'portico-reason': 'Late' },
    payload: { data: { list: null, from: '2027-05-01' } },
  })
  expect(answer.json().errors?.[0].code).toBe('recent_sign_in_required')
})

import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { issueInvoice } from '#money/invoices/invoices.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { keyed } from '#test/support/card.ts'
import { makeBuyer, makeOperator, newSeries } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const url = `${base}/vat-rates`
let admin: Visitor
let ana: Account

beforeAll(async () => {
  await businessTime(pool, '2026-11-20T10:00:00Z')
  await makeOperator(pool)
  admin = portal.staff(await makeAdmin(pool, 'admin'))
  ana = await makeAccount(pool, { projects: 1, panels: 0 })
})
beforeEach(async () => {
  portal.clock.time = undefined
  await sql`update operator_profile set country = 'RO', oss_registered = true`.execute(db)
})

const change = (more: object = {}) => ({
  country: 'SE',
  from: '2027-01-01',
  rate: 26.5,
  reduced: [12, 6],
  source: 'SFS 2026:1',
  ...more,
})
const set = (who: Visitor, more: object = {}) => who.post(`${url}/-actions/setRate`, { data: change(more) })
const faults = async (who: Visitor, more: object = {}) =>
  (await set(who, more)).errors.map(({ status, code }) => `${status} ${code}`)

const known = async (country: string) => {
  const { list } = await admin.get(`${url}?filter[country]=${country}&sort=from_day`)
  return list.map(({ attributes: { from_day, to_day, rate, reduced, region } = {} }) => [
    ...(region === '' ? [] : [region]),
    from_day,
    to_day,
    rate,
    reduced,
  ])
}

const invoice = (country: string, zip?: string) =>
  db.transaction().execute(async (tx) => {
    await makeBuyer(pool, ana, { country, company: false, ...(zip && { zip }) })
    return issueInvoice(tx, { clientId: ana.id, sum: { net: '100' } })
  })

test('every member state has a rate for today with its source, and what changed in 2026', async () => {
  const { list, page } = await admin.get(`${url}?filter[current]=true&page[size]=100`)
  const whole = list.filter(({ attributes }) => attributes?.region === '')
  expect([page.total, new Set(whole.map(({ attributes }) => attributes?.country)).size]).toEqual([30, 27])
  expect(list.filter(({ attributes }) => attributes?.source === '')).toEqual([])
  expect(await known('FI')).toEqual([
    ['2024-09-01', '2025-12-31', 25.5, []],
    ['2026-01-01', null, 25.5, [13.5, 10]],
  ])
  expect((await known('LT')).at(-1)).toEqual(['2026-01-01', null, 21, [12, 5]])
  expect(await known('RO')).toEqual([
    ['2017-01-01', '2025-07-31', 19, []],
    ['2025-08-01', null, 21, [11]],
  ])
})

test('an administrator changes a rate from a day on; the log has it, and documents follow from that day', async () => {
  expect((await set(admin)).status).toBe(200)
  expect(await known('SE')).toEqual([
    ['2016-01-01', '2026-12-31', 25, [12, 6]],
    ['2027-01-01', null, 26.5, [12, 6]],
  ])
  expect((await invoice('SE')).vat).toBe('25.00')
  await businessTime(pool, '2027-01-01T10:00:00Z')
  expect((await invoice('SE')).vat).toBe('26.50')
  await businessTime(pool, '2026-11-20T10:00:00Z')
  const { list } = await admin.get(`${base}/staff-actions?sort=-at&page[size]=1`)
  expect(list[0]?.attributes).toMatchObject({ verb: 'setRate', reason: 'A test asks for it' })
  expect(JSON.stringify(list[0]?.attributes?.changes)).toContain('26.5')
})

test('a change never reaches back over an issued document, also of the day itself', async () => {
  await newSeries(pool)
  expect((await invoice('HU')).vat).toBe('27.00')
  const refused = ['409 vat_rate_on_documents']
  expect(await faults(admin, { country: 'HU', from: '2026-11-20' })).toEqual(refused)
  expect(await faults(admin, { country: 'HU', from: '2020-01-01' })).toEqual(refused)
  expect(await known('HU')).toHaveLength(1)
  expect(await faults(admin, { country: 'HU', from: '2026-11-21' })).toEqual([])
  // A planned rate may be changed.
  expect(await faults(admin, { country: 'HU', from: '2026-11-21', rate: 26 })).toEqual([])
  expect((await known('HU')).map(([, , rate]) => rate)).toEqual([27, 26])
})

test('an earlier change ends where the next known one begins', async () => {
  expect(await faults(admin, { country: 'DK', from: '2028-01-01', rate: 27 })).toEqual([])
  expect(await faults(admin, { country: 'DK', from: '2027-07-01', rate: 26, reduced: [] })).toEqual([])
  expect(await known('DK')).toEqual([
    ['2016-01-01', '2027-06-30', 25, []],
    ['2027-07-01', '2027-12-31', 26, []],
    ['2028-01-01', null, 27, [12, 6]],
  ])
})

test('a country outside the EU gets its first rate, and a region its own', async () => {
  expect(await faults(admin, { country: 'GB', from: '2011-01-04', rate: 20, reduced: [5] })).toEqual([])
  expect(await known('GB')).toEqual([['2011-01-04', null, 20, [5]]])
  expect(await faults(admin, { country: 'PT', region: 'madeira', from: '2027-01-01', rate: 21 })).toEqual([])
  expect((await known('PT')).filter(([region]) => region === 'madeira')).toHaveLength(2)
})

test('only administrators change rates, and billing and those who only read see them', async () => {
  for (const who of [portal.nobody, portal.as(ana)]) {
    expect((await who.get(url)).status).toBe(404)
    expect((await set(who)).status).toBe(404)
  }
  for (const role of ['support', 'billing', 'readonly'] as const) {
    const who = portal.staff(await makeAdmin(pool, role))
    expect([(await set(who)).status, (await who.get(url)).page.total > 0]).toEqual([403, role !== 'support'])
  }
})

test.each([
  [{ country: 'XX' }, '422 country_unknown'],
  [{ rate: 51 }, '422 number_most'],
  [{ rate: 20.001 }, '422 decimals_most'],
  [{ rate: 0 }, '422 number_least'],
  [{ source: ' ' }, '422 source_required'],
])('%j is refused', async (more, fault) => {
  expect(await faults(admin, more)).toEqual([fault])
})

test('a change needs a reason', async () => {
  const without = await admin.call('POST', `${url}/-actions/setRate`, {
    body: { data: change() },
    headers: { 'portico-reason': '' },
  })
  expect(without.errors[0]?.code).toBe('staff_reason_required')
})

const gaps = async () => {
  const { text } = await admin.get(`${url}/-actions/taxGaps`)
  return JSON.parse(text)
}

test('an operator in Romania reads what is not supported: tax of countries outside the EU', async () => {
  expect(await gaps()).toEqual({ country: 'RO', gaps: [{ code: 'elsewhere_untaxed', stops: false }] })
})

test('a seller outside the EU is told what is missing, and no document is issued by a guess', async () => {
  await sql`update operator_profile set country = 'CH', oss_registered = false`.execute(db)
  expect((await gaps()).gaps).toEqual([
    { code: 'home_rate_unknown', stops: true },
    { code: 'union_scheme_missing', stops: true },
    { code: 'home_rules_simple', stops: false },
    { code: 'elsewhere_untaxed', stops: false },
  ])
  await expect(invoice('DE')).rejects.toMatchObject({ code: 'documents_need_union_scheme' })
  const asked = await keyed(portal.as(ana), `${base}/invoices/-actions/requestProforma`, {
    data: { net: 50 },
  })
  expect(asked.errors.map(({ code }) => code)).toEqual(['documents_need_union_scheme'])
  await expect(invoice('CH')).rejects.toMatchObject({ code: 'documents_need_vat_rate' })
  expect(await faults(admin, { country: 'CH', from: '2024-01-01', rate: 8.1, reduced: [3.8, 2.6] })).toEqual(
    [],
  )
  await sql`update operator_profile set oss_registered = true`.execute(db)
  expect((await gaps()).gaps.map(({ code }: { code: string }) => code)).toEqual([
    'home_rules_simple',
    'elsewhere_untaxed',
  ])
  expect([(await invoice('CH')).vat, (await invoice('DE')).vat]).toEqual(['8.10', '19.00'])
})

import { reportKinds, reports } from '@portico/contract/rules/money/reports.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { accountingFiles } from '#money/exports/files.ts'
import { makeAccount } from '#test/support/account.ts'
import { makeDocuments, makeOperator } from '#test/support/documents.ts'
import { businessTime, movedBalance, used } from '#test/support/money.ts'
import { makePlans } from '#test/support/plans.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { readReport as exactly, reportAt } from '#test/support/reports.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { fillReports } from './fill-reports.ts'
import { fileOf } from './read-report.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const roles = ['support', 'billing', 'admin', 'readonly'] as const
const staff: Partial<Record<(typeof roles)[number], Visitor>> = {}
const by = (role: (typeof roles)[number]): Visitor => staff[role] ?? portal.nobody
const year = ['2026-01-01', '2026-12-31'] as const
const figures = '/-actions/figures?payload[from]=2026-01-01&payload[to]=2026-12-31'
/** The answer of a report in cents. */
async function readReport(...asked: Parameters<typeof exactly>) {
  const answer = await exactly(...asked)
  const cents = (row: (typeof answer.rows)[number]) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === 'number' ? Number(value.toFixed(2)) : value,
      ]),
    )
  return { ...answer, rows: answer.rows.map(cents) }
}

let ana: Awaited<ReturnType<typeof makeAccount>>
let bogdan: typeof ana

beforeAll(async () => {
  await businessTime(pool, '2026-04-10T09:00:00Z')
  await makeOperator(pool)
  for (const role of roles) staff[role] = portal.staff(await makeAdmin(pool, role))
  ana = await makeAccount(pool, { projects: 1, panels: 1, opening: null })
  bogdan = await makeAccount(pool, { projects: 1, panels: 1, opening: null })
  await sql`update clients set created_at = '2026-02-03T12:00:00Z'`.execute(db)
  await makeDocuments(pool, ana)
  await movedBalance(pool, bogdan.id, '-60', '2026-01-05')
  const { web } = await makePlans(db, { web: '10.00' })
  await sql`insert into panel_plans (panel_id, plan_id, during) values (${ana.panels[0]}, ${web}, '[2026-02-10,)')`.execute(
    db,
  )
  await used(db, ana, ['2026-02-20', '2026-03-05'], '4')
  await used(db, bogdan, ['2026-02-21'], '3')
  await sql`update clients set closed_at = '2026-03-09T12:00:00Z', status = 4 where id = ${bogdan.id}`.execute(
    db,
  )
  await fillReports(db)
})

test('every report has the columns that it shows', () => {
  for (const kind of reportKinds) {
    const columns = Object.keys(fileOf(kind).columns)
    expect([kind, reports[kind].columns.filter((name) => !columns.includes(name))]).toEqual([kind, []])
    expect([kind, reports[kind].sums.filter((name) => !reports[kind].columns.includes(name))]).toEqual([
      kind,
      [],
    ])
    expect(Object.keys(accountingFiles)).toContain(reports[kind].file)
  }
})

test('nobody outside the staff finds reports, support reads none, and others read all', async () => {
  const path = await reportAt(by('admin'), 'revenue')
  for (const who of [portal.nobody, portal.as(ana)]) {
    expect((await who.get(`${base}/reports`)).status).toBe(404)
    expect((await who.get(`${path}${figures}`)).status).toBe(404)
  }
  expect((await by('support').get(`${base}/reports`)).page.total).toBe(0)
  for (const tail of ['', figures]) expect((await by('support').get(path + tail)).status).toBe(404)
  for (const role of ['billing', 'admin', 'readonly'] as const) {
    expect((await by(role).get(`${base}/reports`)).page.total).toBe(reportKinds.length)
    for (const kind of reportKinds)
      expect((await readReport(by(role), kind, ...year)).count).toBeGreaterThanOrEqual(0)
  }
  expect((await by('billing').get(`${base}/reports/999${figures}`)).status).toBe(404)
})

test('a period that is reversed, too long or no period is refused', async () => {
  const path = await reportAt(by('billing'), 'vat')
  const asked = async (from: string, to: string, more = '') => {
    const { status, errors } = await by('billing').get(
      `${path}/-actions/figures?payload[from]=${from}&payload[to]=${to}${more}`,
    )
    return [status, errors[0]?.code, errors[0]?.source?.parameter]
  }
  expect(await asked('2026-02-01', '2026-01-31')).toEqual([422, 'export_period_reversed', 'payload.to'])
  expect(await asked('2026-01-01', '2027-01-02')).toEqual([422, 'export_period_most', 'payload.to'])
  expect((await asked('2026-02-30', '2026-03-01'))[0]).toBe(400)
  expect((await asked('2026-01-01', '2026-01-31', '&payload[currency]=usd'))[0]).toBe(400)
})

test('revenue is by month and plan, fees beside what is metered, and by client and workspace', async () => {
  const { rows } = await readReport(by('billing'), 'revenue', ...year)
  expect(rows.map(({ month, used, revenue }) => [month, used, revenue])).toEqual([
    ['2026-02', 7.36, 7.36],
    ['2026-03', 4.32, 4.32],
  ])
  const plans = await readReport(by('billing'), 'revenue_by_plan', ...year)
  expect(
    plans.rows.map(({ month, plan, plan_ro, fees, metered }) => [month, plan, plan_ro, fees, metered]),
  ).toEqual([
    ['2026-02', 'Web', 'Web Plus', 0.36, 4],
    ['2026-02', null, null, 0, 3],
    ['2026-03', 'Web', 'Web Plus', 0.32, 4],
  ])
  const clients = await readReport(by('billing'), 'top_clients', ...year)
  expect(clients.rows.map(({ client_id, revenue }) => [client_id, revenue])).toEqual([
    [ana.id, 8.68],
    [bogdan.id, 3],
  ])
  expect(clients.sums).toEqual([{ revenue: 11.68 }])
  const workspaces = await readReport(by('billing'), 'top_workspaces', '2026-03-01', '2026-03-31')
  expect(workspaces.rows).toMatchObject([{ client_id: ana.id, revenue: 4.32 }])
})

test('recurring fees are those of running panels at the end of each month, with who paid, came and left', async () => {
  const { rows } = await readReport(by('billing'), 'recurring', ...year)
  expect(rows).toEqual([
    expect.objectContaining({
      month: '2026-01',
      mrr: 0,
      panels: 0,
      payers: 0,
      arpu: null,
      churn: null,
      lost: 0,
    }),
    expect.objectContaining({
      month: '2026-02',
      mrr: 10,
      metered: 7,
      panels: 1,
      payers: 2,
      arpu: 3.68,
      joined: 2,
    }),
    expect.objectContaining({
      month: '2026-03',
      mrr: 10,
      payers: 1,
      arpu: 4.32,
      departed: 1,
      lost: 1,
      churn: 50,
    }),
    expect.objectContaining({ month: '2026-04', mrr: 10, payers: 0, lost: null, churn: null }),
  ])
})

test('a debt is in the column of its age, and what is paid ahead stands beside what is owed', async () => {
  const { rows, sums } = await readReport(by('readonly'), 'aged_debt', ...year)
  expect(rows[0]).toMatchObject({
    client_id: bogdan.id,
    owed_since: '2026-01-05',
    over_90: 63,
    to_90: 0,
    owed: 63,
  })
  expect(sums[0]).toMatchObject({ over_90: 63 })
  const held = await readReport(by('readonly'), 'paid_ahead', ...year)
  expect(held.rows.map(({ month, paid_ahead, owed }) => [month, paid_ahead, owed])).toEqual([
    ['2026-01', 0, 60],
    ['2026-02', 0, 67.36],
    ['2026-03', 0, 71.68],
    ['2026-04', 0, 71.68],
  ])
})

test('the figures say when they were made, and a currency that the period lacks is not asked for in vain', async () => {
  const { list } = await by('billing').get(`${base}/reports`)
  expect(list[0]?.attributes).toMatchObject({
    made_at: expect.stringMatching(/^2026-04-10T/),
    days_missing: 0,
  })
  const other = await readReport(by('billing'), 'revenue', ...year, 'EUR')
  expect([other.currencies, other.currency]).toEqual([['USD'], 'USD'])
  const none = await readReport(by('billing'), 'revenue', '2025-01-01', '2025-12-31')
  expect(none).toEqual({ currencies: [], currency: null, rows: [], sums: [], count: 0 })
})

test('a document that is issued later is in VAT and sales after the next run, also for a day that is over', async () => {
  const totals = async () =>
    [
      (await readReport(by('billing'), 'vat', ...year)).sums,
      (await readReport(by('billing'), 'sales', ...year)).sums,
    ] as const
  const before = await totals()
  await makeDocuments(pool, bogdan)
  expect(await totals()).toEqual(before)
  await fillReports(db)
  const [vat, sales] = await totals()
  const { rows } =
    await sql`select sum(net)::float8 as net, sum(vat)::float8 as vat, sum(total)::float8 as total from invoices
    where issued_at is not null and kind <> 'proforma' and currency = 'USD'`.execute(db)
  expect(sales[0]).toMatchObject(rows[0] ?? {})
  expect(vat[0]?.net).not.toBe(before[0][0]?.net)
})

test('a report is a file for those who may export, and support exports none', async () => {
  const order = {
    data: {
      type: 'accounting-exports',
      attributes: { kind: 'top_clients', from_day: year[0], to_day: year[1] },
    },
  }
  const { one } = await by('readonly').post(`${base}/accounting-exports`, order)
  const { text } = await by('readonly').get(`${base}/accounting-exports/${one.id}/-actions/download`)
  expect(text).toMatch(/^\ufeffclient_id,client,currency,revenue\r\n/)
  expect(text).toContain(`${ana.id},`)
  expect((await by('support').post(`${base}/accounting-exports`, order)).status).toBe(403)
})

test('the server logged no bug', () => {
  expect(portal.bugs).toEqual([])
})

test('usage that is charged late is of its month by plan, and the line without a plan leads to the books', async () => {
  await used(db, ana, ['2026-03-05'], '2')
  await fillReports(db)
  const { rows, sums } = await readReport(by('billing'), 'revenue_by_plan', '2026-03-01', '2026-12-31')
  expect(rows.map((row) => [row.month, row.plan, row.metered, row.other_months, row.revenue])).toEqual([
    ['2026-03', 'Web', 6, 0, 6.32],
    ['2026-03', null, 0, -2, -2],
    ['2026-04', null, 0, 2, 2],
  ])
  const [{ used: booked } = {}] = (await readReport(by('billing'), 'revenue', '2026-03-01', '2026-12-31'))
    .sums
  expect(sums[0]?.revenue).toBe(booked)
})

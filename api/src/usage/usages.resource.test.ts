import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeUsage } from '#test/support/usage.ts'
import { rateUsage } from './charging.ts'

const portal = await testPortal()
const { pool } = portal
await businessTime(pool, '2026-03-11T12:00:00Z')
const ana = await makeAccount(pool, { projects: 2, panels: 2 })
const stranger = await makeAccount(pool, { projects: 1, panels: 1 })
const days = ['2026-02-28', '2026-03-01', '2026-03-10', '2026-03-11']
for (const one of [ana, stranger])
  await makeUsage(pool, { client: one.id, panels: one.panels, days, charged: days.slice(0, 3) })
const [first = 0, second = 0] = ana.panels
const me = portal.as(ana)

// A server's day: 101 hours of a processor and of a gigabyte.
const each = 0.303
const times = (n: number) => Number((n * each).toFixed(6))
const totals = (usages: number, charged = usages) => ({
  rated_amount: Number((usages * each).toFixed(6)),
  charged_amount: Number((charged * each).toFixed(6)),
  unpriced: 0,
})
const list = (query: string) => me.get(`${base}/usages?${query}`)
const summary = async (payload: object, visitor = me) =>
  (
    await visitor.get(
      `${base}/usages/-actions/summary?payload=${encodeURIComponent(JSON.stringify(payload))}`,
    )
  ).json

test('a day of a resource shows the quantity, the price, the cost and how much is charged', async () => {
  const { list: rows, document } = await list(
    `filter[panel_id]=${first}&filter[from]=2026-03-10&filter[to]=2026-03-10&sort=usage_on`,
  )
  expect(rows.map(({ attributes }) => attributes)).toMatchObject([
    {
      resource_ref: 'server/server1',
      resource_name: 'server 1',
      usage_on: '2026-03-10',
      rated_amount: each,
      charged_amount: each,
      currency: 'USD',
      status: 'charged',
      unpriced: false,
      lines: [
        { meter: 'cpu_hours', unit: 'vCPU·h', quantity: 101, unit_price: 0.0029, amount: 0.2929 },
        { meter: 'ram_gb_hours', unit: 'GB·h', quantity: 101, unit_price: 0.0001, amount: 0.0101 },
      ],
    },
    { resource_ref: 'server/server2' },
  ])
  expect(document.meta).toMatchObject({ totals: totals(2), page: { total: 2 } })
})

test.each([
  ['', 32, 24],
  ['filter[from]=2026-03-01', 24, 16],
  [`filter[panel_id]=${first}`, 8, 6],
  [`filter[project_id]=${ana.projects[0]}&filter[to]=2026-03-01`, 8, 8],
  ['filter[resource]=server/server1', 16, 12],
  [`filter[resource]=${second}/server/server1`, 4, 3],
  ['filter[meter]=cpu_hours&filter[from]=2026-03-11', 8, 0],
  ['filter[meter]=traffic_gb', 0, 0],
  ['filter[status]=open', 8, 0],
  ['filter[search]=server 2', 16, 12],
])('totals are of all pages of what is asked: %s', async (query, usages, charged) => {
  const answer = await list(`${query}&page[size]=3`)
  expect(answer.document.meta).toMatchObject({ totals: totals(usages, charged), page: { total: usages } })
  const all = await list(`${query}&page[size]=100`)
  expect(all.list).toHaveLength(usages)
})

test('sums are split as asked', async () => {
  expect(await summary({ group_by: ['day'], from: '2026-03-01' })).toEqual({
    currency: 'USD',
    rows: ['2026-03-01', '2026-03-10', '2026-03-11'].map((day, i) => ({
      key: [day],
      label: [day],
      rated_amount: times(8),
      charged_amount: i < 2 ? times(8) : 0,
      quantity: null,
    })),
    totals: totals(24, 16),
    others: 0,
  })
  expect(await summary({ group_by: ['month', 'panel'], panel_id: second })).toMatchObject({
    rows: [
      {
        key: ['2026-02', String(second)],
        label: ['2026-02', `Panel 2 of ${ana.projects[0]}`],
        rated_amount: times(2),
      },
      { key: ['2026-03', String(second)], rated_amount: times(6), charged_amount: times(4) },
    ],
  })
  expect(await summary({ group_by: ['resource'], panel_id: first, from: '2026-03-10' })).toMatchObject({
    rows: [1, 2].map((n) => ({
      key: [`${first}/server/server${n}`],
      label: [`server ${n}`],
      rated_amount: times(2),
    })),
  })
  expect(await summary({ group_by: ['meter'], resource: `${first}/server/server1` })).toMatchObject({
    rows: [
      { key: ['cpu_hours'], label: ['vCPU·h'], quantity: 404, rated_amount: 1.1716, charged_amount: 0.8787 },
      { key: ['ram_gb_hours'], label: ['GB·h'], quantity: 404 },
    ],
    totals: totals(4, 3),
  })
  expect(await summary({ group_by: ['project'] })).toMatchObject({
    rows: ana.projects.map((id) => ({ key: [String(id)], rated_amount: times(16) })),
  })
})

test('the largest of many have their own sums, and the others one sum together', async () => {
  const row = (month: string, resource: string, rated_amount: number) => ({
    key: [month, resource],
    rated_amount,
  })
  expect(await summary({ group_by: ['month', 'resource'], top: 3 })).toMatchObject({
    rows: [
      row('2026-02', '', times(5)),
      ...[1, 2].map((n) => row('2026-02', `${first}/server/server${n}`, each)),
      row('2026-02', `${second}/server/server1`, each),
      row('2026-03', '', times(15)),
      ...[1, 2].map((n) => row('2026-03', `${first}/server/server${n}`, times(3))),
      row('2026-03', `${second}/server/server1`, times(3)),
    ],
    totals: totals(32, 24),
    others: 5,
  })
  expect(await summary({ group_by: ['day', 'panel'], top: 6 })).toMatchObject({ others: 0 })
})

test('a chart of more panels than have rows of their own is drawn all the same', async () => {
  const owner = await makeAccount(pool, { projects: 1, panels: 0 })
  await sql`
    with added as (
      insert into panels (client_id, project_id, name, status, external_id)
      select ${owner.id}, ${owner.projects[0]}, 'Panel ' || n, 'active', 'many-' || n from generate_series(1, 200) n
      returning id, client_id, project_id)
    insert into usage_panel_days (client_id, project_id, panel_id, usage_on, usages, unpriced, rated_amount, charged_amount)
    select client_id, project_id, id, day, 1, 0, row_number() over (partition by day order by id), 0
    from added, generate_series(date '2026-02-10', '2026-03-11', '1 day') day`.execute(pool.kysely)
  const seen = portal.as(owner)
  const asked = { group_by: ['day', 'panel'] }
  expect(await summary(asked, seen)).toMatchObject({ errors: [{ code: 'usage_rows_most' }] })
  const drawn = await summary({ ...asked, top: 6 }, seen)
  expect(drawn).toHaveProperty('rows.length', 7 * 30)
  expect(drawn).toHaveProperty(
    'rows.0',
    expect.objectContaining({ key: ['2026-02-10', ''], rated_amount: (194 * 195) / 2 }),
  )
  expect(drawn).toMatchObject({ others: 194, totals: { rated_amount: 30 * ((200 * 201) / 2) } })
})

test.each([
  [{ group_by: [] }, 'entries_missing'],
  [{ group_by: ['day', 'month', 'panel'] }, 'entries_most'],
  [{ group_by: ['hour'] }, 'value_not_among'],
  [{ group_by: ['day'], from: '2024-01-01' }, 'usage_days_out_of_range'],
  [{ group_by: ['day'], from: '2026-03-12' }, 'usage_days_out_of_range'],
  [{ group_by: ['day'], from: '2026-02-30' }, 'day_invalid'],
])('sums that cannot be asked for are refused: %j', async (payload, code) => {
  expect(await summary(payload)).toMatchObject({ errors: [{ status: '400', code }] })
})

test('with access to billing a guest sees all usage, with access to panels alone none', async () => {
  const biller = await makeAccount(pool, { projects: 1, panels: 0 })
  const user = await makeAccount(pool, { projects: 1, panels: 0 })
  await portal.share(ana, biller, { billing: 'allowed', my_workspaces: 'denied' })
  await portal.share(ana, user, { workspace_resources: 'all' })
  const seen = async (who: typeof ana, path: string) =>
    (await portal.as(who).get(`${base}/${path}?filter[client_id]=${ana.id}`)).page.total
  for (const path of ['usages', 'usage-notes', 'billing-logs']) {
    expect(await seen(biller, path), path).toBeGreaterThan(0)
    expect([await seen(user, path), await seen(stranger, path)], path).toEqual([0, 0])
  }
  const sums = (who: typeof ana) => summary({ group_by: ['day'], client_id: ana.id }, portal.as(who))
  expect(await sums(biller)).toMatchObject({ totals: totals(32, 24) })
  for (const who of [user, stranger]) expect(await sums(who)).toMatchObject({ rows: [], totals: totals(0) })
  const id = (await list('')).list[0]?.id
  expect((await portal.as(stranger).get(`${base}/usages/${id}`)).status).toBe(404)
})

test('late data leave a note with the usage', async () => {
  const [usage] = (await list(`filter[panel_id]=${first}&filter[to]=2026-02-28&include=notes`)).list
  const notes = await me.get(`${base}/usages/${usage?.id}/notes`)
  expect(notes.list.map(({ attributes }) => attributes)).toMatchObject([
    {
      kind: 'late_data',
      usage_on: '2026-02-28',
      note_en: '0.003000 USD more by data that came after the day was charged.',
      note_ro: 'Cu 0.003000 USD mai mult, din date sosite după ce ziua a fost decontată.',
    },
  ])
})

test('a note from before notes had codes keeps its text', async () => {
  const [usage] = (await list(`filter[panel_id]=${first}&filter[to]=2026-02-28`)).list
  const note = { note_en: 'A new price', note_ro: 'Un preț nou' }
  const { id } = await pool.kysely
    .insertInto('usage_notes')
    .values({
      usage_id: Number(usage?.id),
      client_id: ana.id,
      usage_on: '2026-02-28',
      kind: 'price_change',
      ...note,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect((await me.get(`${base}/usage-notes/${id}`)).one.attributes).toMatchObject(note)
})

test('the billing log grows by month and workspace, and its last row has what is held', async () => {
  const { list: rows } = await me.get(`${base}/billing-logs?sort=-date`)
  const lines = rows.map(({ attributes }) => attributes)
  expect(lines).toMatchObject([
    {
      kind: 'usage',
      period: '2026-03',
      description: 'Usage of Workspace 2',
      params: { workspace: 'Workspace 2' },
    },
    { kind: 'usage', period: '2026-03', description: 'Usage of Workspace 1' },
    { kind: 'usage', period: '2026-02' },
    { kind: 'usage', period: '2026-02', date: '2026-02-28', deposit: null, payment: 1.2 },
    {
      kind: 'adjustment',
      description: 'Balance brought over',
      deposit: 22.345678,
      payment: null,
      balance_after: 22.345678,
    },
  ])
  const [balance] = (await me.get(`${base}/account-balances`)).list
  const { account_balance, credit_balance } = balance?.attributes ?? {}
  expect(lines[0]?.balance_after).toBeCloseTo(Number(account_balance) + Number(credit_balance), 6)
  const only = await me.get(
    `${base}/billing-logs?filter[kind]=usage&filter[period]=2026-02&filter[project_id]=${ana.projects[0]}`,
  )
  expect(only.list).toHaveLength(1)
})

test('an export has all rows that its filters leave, and nothing in it runs', async () => {
  await sql`update projects set name = '=cmd()' where id = ${ana.projects[1] ?? 0}`.execute(pool.kysely)
  const answer = await me.get(`${base}/usages/-actions/export?filter[from]=2026-03-10&sort=usage_on`)
  expect(answer.status).toBe(200)
  expect([answer.header('content-type'), answer.header('x-total-rows')]).toEqual([
    'text/csv; charset=utf-8',
    '16',
  ])
  const rows = answer.text.split('\r\n')
  expect(rows[0]).toBe('\ufeffdate,workspace,panel,resource,name,used,amount,charged,currency,status')
  expect(rows[1]).toBe(
    `2026-03-10,Workspace 1,Panel 1 of ${ana.projects[0]},server/server1,server 1,cpu_hours 101 vCPU·h; ram_gb_hours 101 GB·h,0.303000,0.303000,USD,charged`,
  )
  expect(rows).toHaveLength(18)
  expect(rows.filter((row) => row.includes(",'=cmd(),"))).toHaveLength(8)
  const log = await me.get(`${base}/billing-logs/-actions/export?sort=date`)
  expect(log.text.split('\r\n')[1]).toBe(
    '2026-01,Balance brought over,2026-01-01,22.345678,,adjustment,,22.345678,USD',
  )
})

test('an export contains what its reader sees, and an anonymous one nothing', async () => {
  const answer = await portal.as(stranger).get(`${base}/usages/-actions/export?filter[client_id]=${ana.id}`)
  expect([answer.status, answer.text.split('\r\n').length]).toEqual([200, 2])
  expect((await portal.nobody.get(`${base}/usages/-actions/export`)).status).toBe(401)
  expect((await me.get(`${base}/usages/-actions/export?page[size]=5`)).faults).toEqual([
    '400 parameter_unknown page[size]',
  ])
  expect((await me.get(`${base}/projects/-actions/export`)).status).toBe(404)
  expect((await me.call('POST', `${base}/usages/-actions/export`)).status).toBe(405)
})

test('ten thousand rows come as they are read', async () => {
  const many = await makeAccount(pool, { projects: 1, panels: 1 })
  await sql`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events)
    select '2026-03-10', ${many.panels[0] ?? 0}, 'server/s' || n, 1, 1, 1 from generate_series(1, 10000) n`.execute(
    pool.kysely,
  )
  await rateUsage(pool.kysely)
  const answer = await portal.as(many).get(`${base}/usages/-actions/export`)
  expect(answer.text.split('\r\n')).toHaveLength(10_002)
  expect(portal.bugs).toEqual([])
})

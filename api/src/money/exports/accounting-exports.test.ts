import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { deposit } from '#money/ledger/deposits.ts'
import { makeAccount } from '#test/support/account.ts'
import { makeBuyer, makeDocuments, makeOperator } from '#test/support/documents.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const url = `${base}/accounting-exports`
const roles = ['support', 'billing', 'admin', 'readonly'] as const
const staff: Partial<Record<(typeof roles)[number], Visitor>> = {}
let ana: { id: number }

beforeAll(async () => {
  await makeOperator(pool)
  for (const role of roles) staff[role] = portal.staff(await makeAdmin(pool, role))
  ana = await makeAccount(pool, { projects: 1, panels: 1 })
  await makeDocuments(pool, ana)
})

const by = (role: (typeof roles)[number]): Visitor => staff[role] ?? portal.nobody

const order = (kind = 'sales_journal', from_day = '2026-01-01', to_day = '2026-12-31') => ({
  data: { type: 'accounting-exports', attributes: { kind, from_day, to_day } },
})

async function made(who: Visitor, ...of: Parameters<typeof order>): Promise<string> {
  const { status, one } = await who.post(url, order(...of))
  expect(status).toBe(201)
  return String(one.id)
}

const file = (who: Visitor, id: string) => who.get(`${url}/${id}/-actions/download`)

/** The lines of a file, by their headings. */
async function table(who: Visitor, ...of: Parameters<typeof order>): Promise<Record<string, string>[]> {
  const { status, text } = await file(who, await made(who, ...of))
  expect([status, text.startsWith('\ufeff')]).toEqual([200, true])
  const [headings = '', ...lines] = text.slice(1).trimEnd().split('\r\n')
  return lines.map((line) => {
    const cells = line.split(',')
    return Object.fromEntries(headings.split(',').map((heading, at) => [heading, cells[at] ?? '']))
  })
}

test('billing exports the sales journal: every document with its number, amounts in cents and in lei', async () => {
  const lines = await table(by('billing'))
  expect(lines.map(({ kind, net, vat, total, vat_local }) => [kind, net, vat, total, vat_local])).toEqual([
    ['fiscal', '50.00', '10.50', '60.50', '47.25'],
    ['credit_note', '-20.00', '-4.20', '-24.20', '-18.90'],
  ])
  expect(lines[1]?.corrects).toBe(lines[0]?.number)
  expect(lines[0]).toMatchObject({
    vat_country: 'RO',
    vat_rate: '21',
    currency: 'USD',
    local_currency: 'RON',
  })
})

test('nobody without a session or outside the staff finds the address', async () => {
  const id = await made(by('billing'))
  for (const who of [portal.nobody, portal.as(ana)]) {
    expect((await who.get(url)).status).toBe(404)
    expect((await who.post(url, order())).status).toBe(404)
    expect((await file(who, id)).status).toBe(404)
  }
})

test('support exports nothing, those who only read do', async () => {
  const id = await made(by('admin'))
  expect((await by('support').get(url)).page.total).toBe(0)
  expect((await by('support').post(url, order())).status).toBe(403)
  expect((await file(by('support'), id)).status).toBe(404)
  expect((await file(by('readonly'), await made(by('readonly')))).status).toBe(200)
})

test('an export is for who asked for it, for an hour, and absent ones are not found', async () => {
  const id = await made(by('billing'))
  expect((await file(by('admin'), id)).errors[0]?.code).toBe('export_of_others')
  for (const absent of ['999999', '0', 'x']) expect((await file(by('billing'), absent)).status).toBe(404)
  await sql`update accounting_exports set created_at = now() - interval '61 minutes' where id = ${id}::bigint`.execute(
    db,
  )
  expect((await file(by('billing'), id)).errors[0]).toMatchObject({ code: 'export_ended', status: '410' })
})

test('a wrong kind or period is refused with its place', async () => {
  const refused = async (...of: Parameters<typeof order>) => {
    const { status, errors } = await by('billing').post(url, order(...of))
    return [status, errors[0]?.code, errors[0]?.source?.pointer]
  }
  const to = '/data/attributes/to_day'
  expect(await refused('vat', '2026-02-01', '2026-01-31')).toEqual([422, 'export_period_reversed', to])
  expect(await refused('vat', '2026-01-01', '2027-01-02')).toEqual([422, 'export_period_most', to])
  expect(await refused('datev', '2025-12-01', '2026-01-31')).toEqual([422, 'export_period_year', to])
  expect((await refused('vat', '2026-02-30', '2026-03-01'))[0]).toBe(422)
  expect((await refused('everything'))[0]).toBe(422)
  expect((await by('billing').post(url, order('vat', '2024-01-01', '2024-12-31'))).status).toBe(201)
})

test('DATEV gets a line with its own words above the bookings, each with its account and its document', async () => {
  const { text } = await file(by('billing'), await made(by('billing'), 'datev', '2026-01-01', '2026-12-31'))
  const [head = '', headings = '', ...lines] = text.slice(1).trimEnd().split('\r\n')
  expect(head).toMatch(
    /^EXTF;700;21;Buchungsstapel;13;\d{17};;RE;;;1001;1;20260101;6;20260101;20261231;Portico;;1;0;0;RON;{9}$/,
  )
  expect(headings.split(';')).toHaveLength(41)
  expect(headings.split(';').slice(0, 3)).toEqual([
    'Umsatz (ohne Soll/Haben-Kz)',
    'Soll/Haben-Kennzeichen',
    'WKZ Umsatz',
  ])
  const cells = lines.map((line) => line.split(';'))
  expect(cells.map((all) => all.slice(0, 8))).toEqual([
    ['60,50', 'S', 'USD', '', '272,25', 'RON', String(1_000_000 + ana.id), '171800'],
    ['24,20', 'H', 'USD', '', '108,90', 'RON', String(1_000_000 + ana.id), '171800'],
  ])
  expect(cells.map((all) => all[10])).toEqual([expect.stringMatching(/^HST/), expect.stringMatching(/^ST/)])
})

test('the log says who exported what, and the list too', async () => {
  await made(by('readonly'), 'payments', '2026-03-01', '2026-03-31')
  const { list } = await by('admin').get(`${base}/staff-actions?sort=-at&page[size]=1`)
  expect(list[0]?.attributes).toMatchObject({ verb: 'create', resource_type: 'accounting-exports' })
  expect(JSON.stringify(list[0]?.attributes?.changes)).toContain('2026-03-31')
  const shown = await by('billing').get(`${url}?filter[kind]=payments`)
  expect(shown.list[0]?.attributes).toMatchObject({ kind: 'payments', from_day: '2026-03-01' })
})

test('a name that is a formula, or reverses its text, arrives as text', async () => {
  const mallory = await makeAccount(pool, { projects: 1, panels: 1 })
  await makeBuyer(pool, mallory)
  await sql`update client_entities set company_name = ${'=HYPERLINK("http://x")\u202e Ștefan'} where client_id = ${mallory.id}`.execute(
    db,
  )
  await deposit(db, {
    key: 'formula',
    clientId: mallory.id,
    currency: 'USD',
    net: '5',
    means: 'psp:sandbox',
  })
  const { text } = await file(
    by('billing'),
    await made(by('billing'), 'payments', '2026-01-01', '2026-12-31'),
  )
  expect(text).toContain(`"'=HYPERLINK(""http://x"") Ștefan"`)
  expect(text).not.toContain('\u202e')
})

test('a payment a second before midnight UTC is on its day, wherever the operator is', async () => {
  const on = (day: string) =>
    deposit(db, { key: `day:${day}`, clientId: ana.id, currency: 'USD', net: '7', means: 'bank', on: day })
  await on('2025-03-31')
  await on('2025-04-01')
  const lines = await table(by('billing'), 'payments', '2025-03-01', '2025-03-31')
  expect(
    lines.map(({ date, provider, movement, amount, fee }) => [date, provider, movement, amount, fee]),
  ).toEqual([['2025-03-31', 'bank', 'payment', '7.00', '0.00']])
})

test('accounts of the trial balance have names in both languages', async () => {
  const line = (await table(by('billing'), 'trial_balance')).find(
    ({ account }) => account === 'client_balance:USD',
  )
  expect(line).toMatchObject({ name: 'Balances of clients', name_ro: 'Soldurile clienților' })
})

test('amounts have the decimals of their currency', async () => {
  await sql`insert into currencies (code, name, symbol, decimals) values ('JPY', 'Yen', '¥', 0)`.execute(db)
  await sql`insert into currency_policies (currency_id, position, trial_credit, warn_below, credit_limit, deposit_least,
      deposit_most, quick_amounts, threshold_least, threshold_usual, recharge_least, recharge_usual, cap_most)
    select id, 99, 0, 0, 0, 100, 1000000, array[1000], 100, 500, 100, 500, 1000000 from currencies where code = 'JPY'`.execute(
    db,
  )
  const haru = await makeAccount(pool, { projects: 1, panels: 1, opening: null, currency: 'JPY' })
  await deposit(db, {
    key: 'yen',
    clientId: haru.id,
    currency: 'JPY',
    net: '700',
    means: 'bank',
    on: '2025-05-01',
  })
  const [line] = await table(by('billing'), 'payments', '2025-05-01', '2025-05-01')
  expect(line).toMatchObject({ amount: '700', fee: '0' })
})

import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { issueInvoice, recordPayment } from '#money/invoices/invoices.ts'
import { serviceBillPaid } from '#money/ledger/bills.ts'
import { grantPromo } from '#money/ledger/credit.ts'
import { deposit, disputeLost } from '#money/ledger/deposits.ts'
import { paymentScopeOn } from '#money/payments/payment-scope.ts'
import { makePayments } from '#money/payments/providers/providers.ts'
import { settlePayment } from '#money/payments/settle-payment.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { electronicInvoices } from '#test/support/electronic.ts'
import { testVault } from '#test/support/mail.ts'
import { businessTime } from '#test/support/money.ts'
import { at, makePlans } from '#test/support/plans.ts'
import { chargeDueDays, rateUsage } from '#usage/charging.ts'
import { feedPlans } from '#usage/plan-feed.ts'
import { closeDueMonth } from './close-run.ts'

const { pool } = await testDatabase(12)
const db = pool.kysely
// No provider is called: payments are settled as if it had confirmed them.
const paymentScope = paymentScopeOn({
  pool,
  vault: testVault,
  payments: makePayments({ stripe: undefined }, {} as never),
})
let ana: Account
let keys = 0

beforeAll(() => makeOperator(pool))
beforeEach(async () => {
  // Each test has one account to close, so that a run closes no other.
  await sql`update client_entities set city = null`.execute(db)
  // And a series, whose days start again.
  await sql`update invoice_series set active = false where kind = 'fiscal'`.execute(db)
  await sql`insert into invoice_series (prefix, kind) values (${`T${++keys}`}, 'fiscal')`.execute(db)
  await businessTime(pool, '2026-10-03T10:00:00Z')
  ana = await makeAccount(pool, { projects: 1, panels: 2, opening: null })
  await makeBuyer(pool, ana)
})

const of = () => ({ key: `test:${++keys}`, clientId: ana.id, currency: 'USD' })

/** So many dollars of use of a panel on each of these days, charged. */
async function used(days: readonly string[], dollars: number, panel = ana.panels[0] ?? 0): Promise<void> {
  await sql`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events)
    select d, ${panel}, 'server/server1', m.id, ${String(dollars)}::numeric / p.unit_price, 1
    from unnest(${[...days]}::date[]) d, meters m join prices p on p.meter_id = m.id where m.code = 'disk_gb_hours'
    on conflict (usage_on, panel_id, resource_ref, meter_id)
      do update set quantity = usage_meter_days.quantity + excluded.quantity, dirty = true`.execute(db)
  await sql`select usage_rate(5000)`.execute(db)
  for (const day of days) await sql`select charge_client_day(${ana.id}, ${day})`.execute(db)
}

const days = (from: number, to: number, month = '2026-10') =>
  Array.from({ length: to - from + 1 }, (_, at) => `${month}-${String(from + at).padStart(2, '0')}`)

/** Money that is paid in, with its invoice. */
async function topUp(net: string): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const issued = await issueInvoice(tx, { clientId: ana.id, sum: { net } })
    const [group] = issued.groups
    const vat = group && { amount: group.vat, country: group.country, rate: group.rate }
    await deposit(tx, { ...of(), net: issued.net, ...(vat && { vat }), means: 'psp:sandbox' })
    return issued.fullNumber
  })
}

/** The words of the notifications of bills, oldest first. */
async function notices() {
  const rows = await db
    .selectFrom('notifications')
    .innerJoin('invoices', 'invoices.id', 'about_id')
    .select('params')
    .where('notifications.client_id', '=', ana.id)
    .where('notifications.kind', '=', 'invoice_issued')
    .where('invoices.reason', '=', 'service_bill')
    .orderBy('notifications.id')
    .execute()
  return rows.map(({ params }) => params)
}

const failures: unknown[] = []
const close = () => closeDueMonth(db, (_, error) => failures.push(error))

async function bills() {
  return db
    .selectFrom('invoices')
    .innerJoin('invoice_statuses as s', 's.id', 'invoice_status_id')
    .selectAll('invoices')
    .select('s.code as status')
    .where('client_id', '=', ana.id)
    .where('reason', '=', 'service_bill')
    .orderBy('invoices.id')
    .execute()
}

async function lines(invoice: number) {
  const rows = await db
    .selectFrom('invoice_lines')
    .selectAll()
    .where('invoice_id', '=', invoice)
    .orderBy('position')
    .execute()
  return rows.map(({ kind, net, vat_rate, description_en }) => [kind, net, vat_rate, description_en])
}

async function held() {
  const { rows } = await sql<{ balance: string; credit: string; vat_due: string; trial: string }>`
    select b.account_balance as balance, b.credit_balance as credit,
      (select balance from ledger_accounts where client_id = ${ana.id} and kind = 'client_vat_due') as vat_due,
      (select sum(amount) from ledger_entries) as trial
    from account_balances b where client_id = ${ana.id}`.execute(db)
  return rows[0]
}

const zero = '0.000000'

test('the scenario of the books: 20 of credit, 50 paid ahead, 100 used, so 30 and VAT are due', async () => {
  await grantPromo(db, { ...of(), amount: '20' })
  const advance = await topUp('50')
  await used(days(5, 14), 10)
  await businessTime(pool, '2026-11-01T01:30:00Z')
  expect(await close()).toEqual({ issued: 1, unfinished: false })
  const [bill] = await bills()
  if (!bill) throw new Error('There is no bill.')
  expect(bill).toMatchObject({
    net: '30.00',
    vat: '6.30',
    total: '36.30',
    status: 'unpaid',
    period: '[2026-10-01,2026-11-01)',
    tax_point_date: '2026-10-31',
    issue_date: '2026-11-01',
    due_date: '2026-11-15',
  })
  const { rows } = await sql<{ name: string }>`select p.name || ' / ' || n.name as name from panels n
    join projects p on p.id = n.project_id where n.id = ${ana.panels[0]}`.execute(db)
  expect(await lines(bill.id)).toEqual([
    ['usage', '100.00', '21.00', `Hosting, ${rows[0]?.name}, October 2026`],
    ['discount', '-20.00', '21.00', 'Promotional credit'],
    ['advance_regularisation', '-50.00', '21.00', `Settlement of advance ${advance}`],
  ])
  expect(await held()).toEqual({ balance: '-30.000000', credit: zero, vat_due: '-6.300000', trial: zero })

  await serviceBillPaid(db, { ...of(), net: '30', vat: '6.30', means: 'psp:sandbox' })
  await db.transaction().execute((tx) => recordPayment(tx, bill.id, '36.30'))
  expect(await held()).toEqual({ balance: zero, credit: zero, vat_due: zero, trial: zero })
  const states = await db.selectFrom('usages').select('status').where('client_id', '=', ana.id).execute()
  expect(new Set(states.map(({ status }) => status))).toEqual(new Set(['paid']))
  const { rows: vat } = await sql<{ sum: string }>`select sum(e.amount) from ledger_entries e
    join ledger_accounts a on a.id = e.account_id where a.kind = 'vat_payable'`.execute(db)
  // 21 % of what was used and not given.
  expect(vat[0]?.sum).toBe('16.800000')
})

test('a month is closed once, however often and from wherever it is asked for', async () => {
  await used(days(5, 6), 10)
  await businessTime(pool, '2026-11-01T02:00:00Z')
  await Promise.all([close(), close(), close(), close()])
  await close()
  expect(await bills()).toHaveLength(1)
  expect((await held())?.trial).toBe(zero)
})

test('the month is closed at three in the morning in the operator’s time zone', async () => {
  await used(days(30, 31), 10)
  await businessTime(pool, '2026-11-01T00:30:00Z')
  expect((await close()).issued).toBe(0)
  await businessTime(pool, '2026-11-01T01:05:00Z')
  expect((await close()).issued).toBe(1)
})

test('with full prepayment the bill is zero and paid', async () => {
  await topUp('30')
  await topUp('30')
  await used(days(1, 4), 10)
  await businessTime(pool, '2026-11-01T02:00:00Z')
  await close()
  const [bill] = await bills()
  expect(bill).toMatchObject({ net: '0.00', vat: '0.00', total: '0.00', status: 'paid' })
  // It is called a statement, as in the list of invoices, because it asks for nothing.
  expect(await notices()).toMatchObject([{ what: 'statement', number: bill?.full_number }])
  expect((await lines(bill?.id ?? 0)).map(([, net]) => net)).toEqual(['40.00', '-30.00', '-10.00'])
  await businessTime(pool, '2026-11-03T02:00:00Z')
  await used(days(1, 2, '2026-11'), 20)
  await businessTime(pool, '2026-12-01T02:00:00Z')
  await close()
  const [, next] = await bills()
  expect((await lines(next?.id ?? 0)).map(([, net]) => net)).toEqual(['40.00', '-20.00'])
  expect(next).toMatchObject({ total: '24.20', status: 'unpaid' })
})

test('amounts of an older bill are not billed again', async () => {
  await used(days(5, 5), 30)
  await businessTime(pool, '2026-11-01T02:00:00Z')
  await close()
  await businessTime(pool, '2026-11-10T02:00:00Z')
  await used(days(8, 8, '2026-11'), 12)
  await businessTime(pool, '2026-12-01T02:00:00Z')
  await close()
  expect((await bills()).map(({ net, total }) => [net, total])).toEqual([
    ['30.00', '36.30'],
    ['12.00', '14.52'],
  ])
})

/** A payment that a provider says succeeded, of so much with VAT of 24 %. */
async function paidNow(gross: string): Promise<boolean> {
  const ref = `pi_${++keys}`
  const { id } = await db
    .insertInto('payments')
    .values({
      client_id: ana.id,
      purpose: 'deposit',
      provider: 'sandbox',
      currency: 'USD',
      net: gross,
      vat: '0',
      gross,
      vat_treatment: 'domestic',
      vat_country: 'RO',
      vat_rate: '24',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return settlePayment(paymentScope, id, { ref, amountReceived: gross, currency: 'USD' })
}

test.each([
  ['by itself', ['1.50'], zero],
  ['in parts', ['0.01', '1.49'], zero],
  ['as the first part of a top-up', ['63.50'], '50.000000'],
])(
  'each rate is kept when it changed between an advance and its use, and the difference is due, and paid %s',
  async (_, payments, left) => {
    await businessTime(pool, '2026-09-20T10:00:00Z')
    await sql`update vat_rates set valid = '[2025-08-01,2026-10-01)' where country = 'RO' and rate = 21`.execute(
      db,
    )
    await sql`insert into vat_rates (country, valid, rate) values ('RO', '[2026-10-01,)', 24)`.execute(db)
    try {
      await topUp('50')
      await used(days(5, 9), 10)
      await businessTime(pool, '2026-11-01T02:00:00Z')
      await close()
      const [bill] = await bills()
      expect(bill).toMatchObject({ net: '0.00', vat: '1.50', total: '1.50', status: 'unpaid' })
      expect(bill?.vat_groups).toMatchObject([
        { rate: '24', net: '50.00', vat: '12.00' },
        { rate: '21', net: '-50.00', vat: '-10.50' },
      ])
      expect(await held()).toMatchObject({ balance: zero, vat_due: '-1.500000', trial: zero })
      for (const gross of payments) expect(await paidNow(gross)).toBe(true)
      expect(await held()).toMatchObject({ balance: left, vat_due: zero, trial: zero })
      expect(await bills()).toMatchObject([{ status: 'paid' }])
    } finally {
      await sql`delete from vat_rates where country = 'RO' and rate = 24`.execute(db)
      await sql`update vat_rates set valid = '[2025-08-01,)' where country = 'RO' and rate = 21`.execute(db)
    }
  },
)

test('an advance without VAT keeps its reason on a bill that has VAT', async () => {
  await makeBuyer(pool, ana, { country: 'DE', vatNumber: 'DE136695976' })
  await sql`insert into vat_checks (client_id, vat_number, status, source, checked_at)
    values (${ana.id}, 'DE136695976', 'valid', 'test', clock_now())`.execute(db)
  await topUp('50')
  await used(days(5, 9), 20)
  await makeBuyer(pool, ana, { country: 'RO' })
  await businessTime(pool, '2026-11-01T02:00:00Z')
  await close()
  const [bill] = await bills()
  expect(bill?.vat_groups).toEqual([
    { country: 'RO', category: 'S', rate: '21', net: '100.00', vat: '21.00' },
    { country: 'RO', category: 'AE', rate: '0', treatment: 'reverse_charge', net: '-50.00', vat: '0.00' },
  ])
})

test('a bill below zero is a credit note, and what it gives back is a deposit with its invoice', async () => {
  await makeBuyer(pool, ana, { country: 'DE', company: false })
  await topUp('50')
  await used(days(5, 9), 10)
  await used(days(10, 10), 2)
  await makeBuyer(pool, ana, { country: 'US', company: false })
  await businessTime(pool, '2026-11-01T02:00:00Z')
  await close()
  const [note, bill] = await bills()
  expect(note).toMatchObject({ kind: 'credit_note', net: '-50.00', vat: '-9.50', status: 'paid' })
  expect(note?.full_number).toMatch(/^ST/)
  expect(bill).toMatchObject({ kind: 'fiscal', net: '52.00', vat: '0.00', paid: '52.00', status: 'paid' })
  const advances = await db
    .selectFrom('invoices')
    .select(['net', 'vat', 'total'])
    .where('client_id', '=', ana.id)
    .where('reason', '=', 'advance')
    .orderBy('id')
    .execute()
  expect(advances).toEqual([
    { net: '50.00', vat: '9.50', total: '59.50' },
    { net: '7.50', vat: '0.00', total: '7.50' },
  ])
  expect(await held()).toMatchObject({ balance: '7.500000', vat_due: zero, trial: zero })
  await businessTime(pool, '2026-11-05T02:00:00Z')
  await used(days(3, 3, '2026-11'), 5)
  await businessTime(pool, '2026-12-01T02:00:00Z')
  await close()
  expect((await bills()).at(-1)).toMatchObject({ kind: 'fiscal', total: '0.00', status: 'paid' })
  expect(await held()).toMatchObject({ balance: '2.500000', vat_due: zero, trial: zero })
})

test('a bill that mixes sales with and without VAT is two documents, and one sets off the other', async () => {
  await makeBuyer(pool, ana, { country: 'US', company: false })
  const outside = await topUp('30')
  await makeBuyer(pool, ana, { country: 'DE', company: false })
  const taxed = await topUp('50')
  await used(days(5, 14), 12)
  await makeBuyer(pool, ana, { country: 'US', company: false, language: 'en' })
  await businessTime(pool, '2026-11-01T02:00:00Z')
  await close()
  await close()
  const [note, bill, ...others] = await bills()
  expect(others).toEqual([])
  expect(note).toMatchObject({
    kind: 'credit_note',
    net: '-50.00',
    vat: '-9.50',
    vat_treatment: 'destination',
  })
  expect(bill).toMatchObject({
    kind: 'fiscal',
    net: '90.00',
    vat: '0.00',
    paid: '59.50',
    status: 'partially_paid',
    vat_treatment: 'outside_eu',
    notes: `Of the total, 59.50 USD are set off against credit note ${note?.full_number}.`,
  })
  expect((await lines(bill?.id ?? 0)).map(([kind, net]) => [kind, net])).toEqual([
    ['usage', '120.00'],
    ['advance_regularisation', '-30.00'],
  ])
  expect(await lines(note?.id ?? 0)).toEqual([
    ['advance_regularisation', '-50.00', '19.00', `Settlement of advance ${taxed}`],
  ])
  const files = await electronicInvoices(pool, ana.id)
  expect([...files.keys()]).toEqual([outside, taxed, note?.full_number, bill?.full_number])
  // The unpaid part of the bill equals the client's debt in the ledger.
  expect(await held()).toMatchObject({ balance: '-30.500000', vat_due: zero, trial: zero })
  expect(await paidNow('30.50')).toBe(true)
  expect(await held()).toMatchObject({ balance: zero, vat_due: zero, trial: zero })
  expect(await bills()).toMatchObject([{ status: 'paid' }, { status: 'paid' }])
})

test('VAT that no open bill explains is an alert that names the client, until it is settled', async () => {
  const alerts = () =>
    db
      .selectFrom('staff_alerts')
      .select(['detail', 'resolved_at'])
      .where('kind', '=', 'vat_due_left')
      .where('about', '=', `client ${ana.id}`)
      .execute()
  await used(days(5, 5), 10)
  await businessTime(pool, '2026-11-01T02:00:00Z')
  await close()
  expect(await alerts()).toEqual([])
  const lost = { ...of(), net: '50', vat: '10.50', means: 'psp:sandbox' } as const
  await disputeLost(db, lost)
  const [bill] = await bills()
  await db.transaction().execute((tx) => recordPayment(tx, bill?.id ?? 0, '12.10'))
  await serviceBillPaid(db, { ...of(), net: '10', vat: '2.10', means: 'psp:sandbox' })
  await close()
  const detail = { client_id: ana.id, vat_due: '-10.500000', currency: 'USD' }
  expect(await alerts()).toEqual([{ detail, resolved_at: null }])
  await serviceBillPaid(db, { ...of(), net: '50', vat: '10.50', means: 'psp:sandbox' })
  await close()
  expect(await alerts()).toEqual([{ detail, resolved_at: expect.any(String) }])
})

test('fractions of a cent are carried on, and the lines add up', async () => {
  for (const panel of ana.panels) await used(days(1, 3), 0.003, panel)
  await businessTime(pool, '2026-11-01T02:00:00Z')
  await close()
  const [bill] = await bills()
  expect(bill).toMatchObject({ net: '0.02', usage_carry: '-0.002000' })
  const parts = (await lines(bill?.id ?? 0)).map(([, net]) => net)
  expect(parts).toEqual(['0.01', '0.01'])
})

test('a month of less than a cent waits for the next', async () => {
  await used(days(1, 1), 0.004)
  await businessTime(pool, '2026-11-01T02:00:00Z')
  expect((await close()).issued).toBe(0)
  await used(days(1, 1, '2026-11'), 0.004)
  await businessTime(pool, '2026-12-01T02:00:00Z')
  await close()
  expect(await bills()).toMatchObject([{ net: '0.01', period: '[2026-11-01,2026-12-01)' }])
})

test('data that come after the bill are on the next one, and never change it', async () => {
  await used(days(5, 5), 10)
  await businessTime(pool, '2026-11-01T02:00:00Z')
  await close()
  await businessTime(pool, '2026-11-02T02:00:00Z')
  await used(days(5, 5), 3)
  expect((await close()).issued).toBe(0)
  await businessTime(pool, '2026-12-01T02:00:00Z')
  await close()
  expect((await bills()).map(({ net }) => net)).toEqual(['10.00', '3.00'])
})

test('a client who cannot be billed does not hold up others, and is billed as soon as they can be', async () => {
  await used(days(5, 5), 10)
  await makeBuyer(pool, ana, { city: ' ' })
  await businessTime(pool, '2026-11-01T02:00:00Z')
  failures.length = 0
  expect((await close()).issued).toBe(0)
  expect(failures.at(-1)).toMatchObject({
    all: [expect.objectContaining({ code: 'billing_info_incomplete' })],
  })
  await makeBuyer(pool, ana)
  expect((await close()).issued).toBe(1)
})

test('a client without an address is an open alert over two months, then billed for each', async () => {
  const alerts = () =>
    db
      .selectFrom('staff_alerts')
      .select(['about', 'detail', 'resolved_at'])
      .where('kind', '=', 'bill_not_issued')
      .where('about', '=', `client ${ana.id}`)
      .execute()
  await makeBuyer(pool, ana, { city: ' ' })
  await used(days(5, 5), 10)
  await businessTime(pool, '2026-11-01T02:00:00Z')
  await close()
  await close()
  const detail = { client_id: ana.id, reasons: ['billing_info_incomplete'] }
  expect(await alerts()).toMatchObject([{ detail: { ...detail, from: '2026-10-01' }, resolved_at: null }])
  await used(days(8, 8, '2026-11'), 12)
  await businessTime(pool, '2026-12-01T02:00:00Z')
  await close()
  expect(await alerts()).toMatchObject([{ resolved_at: null }])
  expect(await bills()).toEqual([])
  await makeBuyer(pool, ana)
  await close()
  expect(await bills()).toMatchObject([
    { net: '10.00', period: '[2026-10-01,2026-11-01)' },
    { net: '12.00', period: '[2026-11-01,2026-12-01)' },
  ])
  expect(await alerts()).toMatchObject([{ resolved_at: expect.any(String) }])
})

test('a day that is not charged yet keeps the bill waiting', async () => {
  await used(days(5, 5), 10)
  await sql`update usage_client_days set due = true where client_id = ${ana.id}`.execute(db)
  await businessTime(pool, '2026-11-01T02:00:00Z')
  expect((await close()).issued).toBe(0)
  await sql`update usage_client_days set due = false where client_id = ${ana.id}`.execute(db)
  expect((await close()).issued).toBe(1)
})

test('a fee has a line with its hours, and a whole month costs its list price', async () => {
  const { start, web } = await makePlans(db, { start: '3.34', web: '8.00' })
  const [whole = 0, changed = 0] = ana.panels
  await at(db, '2026-10-01T00:00:00Z', (tx) =>
    sql`update panels set plan_id = ${web} where id = any(${ana.panels}::int8[])`.execute(tx),
  )
  await at(db, '2026-10-11T12:30:00Z', (tx) =>
    sql`update panels set plan_id = ${start} where id = ${changed}`.execute(tx),
  )
  await used(days(1, 31), 0.0017, whole)
  await businessTime(pool, '2026-11-01T06:30:00Z')
  await feedPlans(db)
  await rateUsage(db)
  await chargeDueDays(db, async () => undefined)
  await close()
  const [bill] = await bills()
  const rows = await db
    .selectFrom('invoice_lines')
    .select(['net', 'description_en', 'description_ro'])
    .where('invoice_id', '=', bill?.id ?? 0)
    .where('kind', '=', 'usage')
    .orderBy('position')
    .execute()
  const { rows: names } = await sql<{ name: string }>`select p.name || ' / ' || n.name as name from panels n
    join projects p on p.id = n.project_id where n.id = any(${ana.panels}::int8[]) order by n.id`.execute(db)
  const [first, second] = names.map(({ name }) => name)
  // The fees are 8, 2.720430 and 2.204220, the meters 0.0527: 12.98 in all, which is a cent more than the lines rounded.
  expect(rows.map(({ net, description_en }) => [net, description_en])).toEqual([
    ['8.00', `Plan Web, ${first}, October 2026, 744 h`],
    ['0.06', `Hosting, ${first}, October 2026`],
    ['2.72', `Plan Web, ${second}, October 2026, 253 h`],
    ['2.20', `Plan Start, ${second}, October 2026, 491 h`],
  ])
  expect(rows[0]?.description_ro).toBe(`Plan Web Plus, ${first}, octombrie 2026, 744 h`)
})

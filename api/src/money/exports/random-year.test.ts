import { reportKinds } from '@portico/contract/rules/money/reports.ts'
import { base } from '@portico/contract/wire.ts'
import Big from 'big.js'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { mergeCounts } from '#money/merge-counts.ts'
import { fillReports } from '#money/reports/fill-reports.ts'
import { electronicInvoices } from '#test/support/electronic.ts'
import { all, exportsOf, figuresOf, type Line, months, sums } from '#test/support/exports.ts'
import { MoneyYear, moneyVerbs } from '#test/support/money-year.ts'
import type { Visitor } from '#test/support/portal.ts'
import { readReport } from '#test/support/reports.ts'
import { allAt, readSaft, salesLines, schemaFaults, textAt } from '#test/support/saft.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { isWhole, runSeed } from '#test/support/sweep.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { wish } from '#test/support/wish.ts'

// A year of random money, exported by its months and as a whole, against the ledger and the documents.

const stripe = await stripePortal()
const { portal, db } = stripe
const year = new MoneyYear(stripe, runSeed)
let billing: Visitor

beforeAll(
  async () => {
    billing = portal.staff(await makeAdmin(portal.pool, 'billing'))
    await year.live(2025, isWhole ? 200 : wish('YEAR_CLIENTS', 3), isWhole ? 2 : wish('YEAR_VERBS', 5))
  },
  isWhole ? 7_200_000 : 240_000,
)

const { fileOf, exported, ofMonths } = exportsOf(() => billing)
const { known, sum } = figuresOf(db)

test('everything that can happen to money happened', () => {
  // A sample of a year may lack what needs a bill or a dispute first.
  const expected = isWhole ? moneyVerbs : (['deposit', 'transfer', 'use', 'move'] as const)
  expect(expected.filter((verb) => !year.done.has(verb))).toEqual([])
})

test('after every close the VAT due of each client is that of their open bills', () => {
  expect(year.vatLeft).toEqual([])
})

test('every close bills by country and rate of VAT what its preview said, to the cent', () => {
  expect(year.closes).toHaveLength(12)
  for (const { previewed, billed } of year.closes) expect(previewed).toEqual(billed)
})

test('a client who has money back twice has no deposit that is not claimed, and no alert without a debt', async () => {
  const { rows } = await sql<{ client: number }>`
    select d.client_id as client from payment_debts d join invoices i on i.client_id = d.client_id
    where d.ended_at is null and d.set_off + d.written_off < d.amount and i.kind = 'fiscal' and i.reason = 'advance'
      and i.created_at < d.created_at and i.net > (select coalesce(sum(amount), 0) from advance_consumptions where advance_id = i.id)
      and not exists (select from payment_refunds r where r.client_id = i.client_id and r.status = 'pending')
    union all
    select p.client_id from staff_alerts a join payments p on p.id = a.payment_id
    where a.kind = 'dispute_debt' and a.resolved_at is null and not exists (select from payment_debts d
      where d.payment_id = p.id and d.ended_at is null and d.set_off + d.written_off < d.amount)`.execute(db)
  expect(rows).toEqual([])
})

test('each client’s loss in the ledger is what is written off of their bills and debts', async () => {
  const { rows } = await sql`select client_id, sum(lost) as differs from (
      select client_id, written_off as lost from invoices
      union all select client_id, written_off from payment_debts
      union all select t.client_id, e.amount from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
        join ledger_accounts a on a.id = e.account_id where a.kind = 'writeoff') l
    group by client_id having sum(lost) <> 0`.execute(db)
  expect(rows).toEqual([])
})

test('the provider lists what the ledger has, in every month', () => {
  expect(year.differences).toEqual([])
})

test('the provider holds what the ledger says that it holds', async () => {
  const things = [...stripe.stripe.things.values()]
  const sumOf = (kind: string, status: string, field: string) =>
    things
      .filter((thing) => thing.object === kind && thing.status === status)
      .reduce((all, thing) => all.plus(Number(Reflect.get(thing, field))), new Big(0))
  const taken = sumOf('payment_intent', 'succeeded', 'amount_received')
  const left = taken.minus(sumOf('refund', 'succeeded', 'amount')).minus(sumOf('dispute', 'lost', 'amount'))
  expect(left.div(100).toFixed(2)).toBe(
    await sum(sql`select coalesce(-sum(e.amount), 0) as value from ledger_entries e join ledger_accounts a on a.id = e.account_id
      where a.kind = 'psp_clearing' and a.currency = 'USD'`),
  )
})

test('the sales journal has every document once, and adds up to them in both currencies', async () => {
  const journal = await exported('sales_journal')
  const numbers = await db
    .selectFrom('invoices')
    .select('full_number')
    .where('kind', '<>', 'proforma')
    .where('issued_at', 'is not', null)
    .where('issue_date', '<=', '2025-12-31')
    .orderBy('issue_date')
    .orderBy('id')
    .execute()
  expect([...new Set(journal.map(({ number }) => number))]).toEqual(
    numbers.map(({ full_number }) => full_number),
  )
  const documents = sql`invoices where kind <> 'proforma' and issued_at is not null and issue_date <= '2025-12-31'`
  for (const column of ['net', 'vat', 'total', 'vat_local'])
    expect([column, all(journal, column)]).toEqual([
      column,
      await sum(sql`select sum(${sql.ref(column)}) as value from ${documents}`),
    ])
  expect(await ofMonths('sales_journal')).toEqual(journal)
})

test('VAT by country and rate is that of the ledger, in every month and in the year', async () => {
  const [whole, parts] = [await exported('vat'), await ofMonths('vat')]
  expect(parts.length).toBeGreaterThan(whole.length)
  expect([...whole, ...parts].filter(({ difference }) => difference !== '0.00')).toEqual([])
  const key = ['country', 'category', 'rate', 'currency']
  for (const column of ['net', 'vat', 'vat_local', 'ledger_vat'])
    expect([column, sums(parts, key, column)]).toEqual([column, sums(whole, key, column)])
  const ledger =
    await known(sql`select split_part(a.code, ':', 2) || ' ' || split_part(a.code, ':', 3) as name, sum(e.amount) as value
    from ledger_entries e join ledger_accounts a on a.id = e.account_id join ledger_transactions t on t.id = e.transaction_id
    where a.kind = 'vat_payable' and t.effective_on <= '2025-12-31' group by a.code`)
  expect(sums(whole, ['country', 'rate'], 'ledger_vat')).toEqual(ledger)
})

test('OSS has the VAT of other countries, quarter by quarter', async () => {
  const [shop, vat] = [await exported('oss'), await exported('vat')]
  const abroad = vat.filter(({ country, category }) => country !== 'RO' && category === 'S')
  const key = ['country', 'rate', 'currency']
  for (const column of ['net', 'vat', 'vat_local'])
    expect([column, sums(shop, key, column)]).toEqual([column, sums(abroad, key, column)])
  expect(shop.every(({ quarter = '' }) => /^2025-Q[1-4]$/.test(quarter))).toBe(true)
  expect(shop.every(({ quarter = '', corrected_quarter: of = '' }) => of === '' || of < quarter)).toBe(true)
})

test('payments by provider are what the providers hold, less their fees', async () => {
  const [whole, parts] = [await exported('payments'), await ofMonths('payments')]
  expect(parts).toEqual(whole)
  const held =
    await known(sql`select split_part(a.code, ':', case a.kind when 'bank' then 1 else 2 end) || ' ' || a.currency as name,
      -sum(e.amount) as value from ledger_entries e join ledger_accounts a on a.id = e.account_id
      join ledger_transactions t on t.id = e.transaction_id
    where a.kind in ('psp_clearing', 'bank') and t.effective_on <= '2025-12-31' group by a.code, a.kind, a.currency`)
  const left = whole.map((line) => ({
    ...line,
    left: new Big(line.amount ?? '').minus(line.fee ?? '').toFixed(2),
  }))
  expect(sums(left, ['provider', 'currency'], 'left')).toEqual(held)
  const of = (movement: string) =>
    all(
      whole.filter((line) => line.movement === movement),
      'amount',
    )
  expect(of('payment')).toBe(
    await sum(sql`select sum(gross) as value from payments where settled_at < '2026-01-01'`),
  )
  expect(of('refund')).toBe(
    await sum(sql`select coalesce(-sum(gross), 0) as value from payment_refunds where status = 'succeeded'`),
  )
  expect(new Big(of('dispute_lost')).plus(of('dispute_won')).toFixed(2)).toBe(
    await sum(
      sql`select coalesce(-sum(net + vat) filter (where returned_at is null), 0) as value from dispute_parts`,
    ),
  )
  const ofDisputes = await sum(sql`select sum(fee) as value from payment_disputes`)
  expect(all(whole, 'fee')).toBe(new Big(stripe.stripe.chargeFees).div(100).plus(ofDisputes).toFixed(2))
})

test('both sides of the trial balance are equal, each month begins as the last one ended, and accounts are the ledger’s', async () => {
  const pairs = [
    ['opening_debit', 'opening_credit'],
    ['debit', 'credit'],
    ['closing_debit', 'closing_credit'],
  ] as const
  let closed: Record<string, string> = {}
  for (const [from, to] of months) {
    const lines = await exported('trial_balance', from, to)
    for (const [debit, credit] of pairs)
      expect([from, debit, all(lines, debit)]).toEqual([from, debit, all(lines, credit)])
    const side = (which: 'opening' | 'closing') =>
      sums(
        lines.map((line) => ({
          ...line,
          side: new Big(line[`${which}_credit`] ?? '').minus(line[`${which}_debit`] ?? '').toFixed(2),
        })),
        ['account'],
        'side',
      )
    expect(side('opening')).toEqual(closed)
    closed = side('closing')
  }
  const ledger =
    await known(sql`select case when a.client_id is null then a.code else a.kind || ':' || a.currency end as name,
      round(sum(e.amount), 2) as value from ledger_entries e join ledger_accounts a on a.id = e.account_id
      join ledger_transactions t on t.id = e.transaction_id
    where t.effective_on <= '2025-12-31' group by 1`)
  const { 'rounding:USD': rounding, ...accounts } = closed
  expect(accounts).toEqual(ledger)
  expect(Math.abs(Number(rounding ?? 0))).toBeLessThan(0.1)
})

test('deferred revenue is the clients’ balance in the ledger, and advances are what bills have not deducted', async () => {
  const deferred = await exported('deferred_revenue')
  const at = sql`from ledger_entries e join ledger_accounts a on a.id = e.account_id
    join ledger_transactions t on t.id = e.transaction_id
    where a.kind = 'client_balance' and t.effective_on <= '2025-12-31'`
  expect(all(deferred, 'balance')).toBe(await sum(sql`select round(sum(e.amount), 2) as value ${at}`))
  expect(
    sums(
      deferred.filter(({ client_id }) => client_id !== ''),
      ['client_id'],
      'balance',
    ),
  ).toEqual(
    await known(sql`select a.client_id::text as name, round(sum(e.amount), 2) as value ${at} group by 1`),
  )
  const advances = await exported('advances')
  expect(sums(advances, ['client_id'], 'not_used')).toEqual(
    await known(sql`select i.client_id::text as name, sum(i.net - coalesce((select sum(amount) from advance_consumptions
        join invoices u on u.id = invoice_id where advance_id = i.id and u.issue_date <= '2025-12-31'), 0)) as value
      from invoices i where kind = 'fiscal' and reason = 'advance' and issue_date <= '2025-12-31' group by 1`),
  )
})

test('DATEV’s bookings of each client add up to their documents, and what leaves the advances goes to revenue', async () => {
  const text = await fileOf('datev', '2025-01-01', '2025-12-31')
  const lines: Line[] = parse(text, { columns: true, delimiter: ';', from_line: 2 })
  const signed = lines.map((line) => ({
    account: line.Konto ?? '',
    against: line['Gegenkonto (ohne BU-Schlüssel)'] ?? '',
    amount: new Big((line['Umsatz (ohne Soll/Haben-Kz)'] ?? '').replace(',', '.'))
      .times(line['Soll/Haben-Kennzeichen'] === 'H' ? -1 : 1)
      .toFixed(2),
  }))
  const ofClients = signed.filter(({ account }) => account.length === 7)
  expect(sums(ofClients, ['account'], 'amount')).toEqual(
    await known(sql`select (1000000 + client_id)::text as name, sum(total) as value from invoices
      where kind <> 'proforma' and issued_at is not null and issue_date <= '2025-12-31' group by 1`),
  )
  const advance = (line: (typeof signed)[number]) => line.against.startsWith('17')
  const opened = new Big(all(ofClients.filter(advance), 'amount'))
  const used = new Big(
    all(
      signed.filter(({ account }) => account.startsWith('17')),
      'amount',
    ),
  )
  // The accounts of advances still hold the advances that no bill has deducted, with VAT.
  const { rows } = await sql<{ left: string; advances: number }>`
    select sum(round((i.net - coalesce(c.used, 0)) * (1 + i.vat_rate / 100), 2)) as left, count(*)::int as advances
    from invoices i left join lateral (select sum(a.amount) as used from advance_consumptions a
      join invoices u on u.id = a.invoice_id and u.issue_date <= '2025-12-31' where a.advance_id = i.id) c on true
    where i.kind = 'fiscal' and i.reason = 'advance' and i.issue_date <= '2025-12-31'`.execute(db)
  const [{ left, advances } = { left: 'missing', advances: 0 }] = rows
  // Each deduction is rounded by itself.
  expect(opened.minus(used).minus(left).abs().toNumber()).toBeLessThanOrEqual(0.02 * advances)
})

test('the sales part of SAF-T is the sales journal of every month, by document and to the cent', async () => {
  for (const [from, to] of months) {
    const file = readSaft(await fileOf('saft', from, to))
    expect([from, schemaFaults(file)]).toEqual([from, []])
    const [journal, lines] = [await exported('sales_journal', from, to), salesLines(file)]
    for (const column of ['net', 'net_local', 'vat', 'vat_local'])
      expect([from, column, sums(lines, ['number'], column)]).toEqual([
        from,
        column,
        sums(journal, ['number'], column),
      ])
    const stated = (name: string) => textAt(file, `SourceDocuments/SalesInvoices/${name}`)
    const side = (of: string) =>
      new Big(
        all(
          lines.filter((line) => line.side === of),
          'net_local',
        ),
      )
        .abs()
        .toFixed(2)
    expect([stated('TotalDebit'), stated('TotalCredit')]).toEqual([side('D'), side('C')])
    expect(stated('NumberOfEntries')).toBe(String(new Set(journal.map(({ number }) => number)).size))
    const gross = allAt(file, 'SourceDocuments/SalesInvoices/Invoice/InvoiceDocumentTotals')
    expect(
      all(
        gross.map((one) => ({ gross: textAt(one, 'GrossTotal') })),
        'gross',
      ),
    ).toBe(new Big(all(journal, 'net_local')).plus(all(journal, 'vat_local')).toFixed(2))
  }
})

const report = (...[kind]: [Parameters<typeof readReport>[1]]) =>
  readReport(billing, kind, '2025-01-01', '2025-12-31', 'USD')

/** The sum of a column of a report, as it says it and over its rows. */
async function reported(kind: Parameters<typeof report>[0], column: string): Promise<[string, string]> {
  const {
    rows,
    sums: [whole],
  } = await report(kind)
  const added = rows.reduce((sum, row) => sum.plus(row[column] ?? 0), new Big(0))
  return [new Big(whole?.[column] ?? 0).toFixed(2), added.toFixed(2)]
}

/** The amounts of a report by the columns that its rows are told apart by, and those of its file. */
async function byRow(kind: 'vat' | 'oss', keys: string[], column: string) {
  const { rows } = await report(kind)
  const shown = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value ?? '')])),
  )
  const filed = (await exported(kind)).filter(({ currency }) => currency === 'USD')
  return [sums(shown, keys, column), sums(filed, keys, column)]
}

const ledgerOf = (accounts: string, and = sql`true`) =>
  sum(sql`select round(coalesce(sum(e.amount), 0), 2) as value from ledger_entries e join ledger_accounts a on a.id = e.account_id
    join ledger_transactions t on t.id = e.transaction_id
    where t.effective_on between '2025-01-01' and '2025-12-31' and a.currency = 'USD' and a.code like any (${accounts}) and ${and}`)

test('reports add up to the ledger to the cent, and are the same when they are computed again', async () => {
  await fillReports(db)
  const first = await Promise.all(reportKinds.map(report))
  await sql`delete from report_days`.execute(db)
  await sql`update report_state set seen_at = null`.execute(db)
  await fillReports(db)
  expect(await Promise.all(reportKinds.map(report))).toEqual(first)

  const [revenue] = await reported('revenue', 'revenue')
  expect(revenue).toBe(await ledgerOf('{revenue:%}'))
  const used = await ledgerOf('{revenue:usage:%}', sql`t.kind = 'usage'`)
  expect((await reported('revenue', 'used'))[0]).toBe(used)
  for (const kind of ['top_clients', 'top_workspaces', 'revenue_by_plan'] as const)
    expect([kind, (await reported(kind, 'revenue'))[0]]).toEqual([kind, used])
  const [received, rows] = await reported('cash', 'received')
  expect([received, rows]).toEqual([received, received])
  expect(new Big(received).neg().toFixed(2)).toBe(await ledgerOf('{psp:%,bank:%,suspense:%}'))
})

test('reports of documents and balances are those of their files', async () => {
  const balance = (await exported('trial_balance')).filter(({ currency }) => currency === 'USD')
  const { rows, count } = await report('trial_balance')
  expect(count).toBe(balance.length)
  expect(
    rows.map((row) => Object.values(row).map((one) => (typeof one === 'number' ? one.toFixed(2) : one))),
  ).toEqual(balance.map(({ currency: _, ...line }) => Object.values(line)))
  const journal = await exported('sales_journal')
  for (const column of ['net', 'vat', 'total'])
    expect((await reported('sales', column))[0]).toBe(all(journal, column))
  for (const column of ['net', 'vat', 'ledger_vat', 'difference'])
    expect((await reported('vat', column))[0]).toBe(all(await exported('vat'), column))
  expect((await reported('oss', 'vat'))[0]).toBe(all(await exported('oss'), 'vat'))
  for (const [kind, keys] of [
    ['vat', ['country', 'category', 'rate']],
    ['oss', ['quarter', 'corrected_quarter', 'country', 'rate']],
  ] as const)
    for (const column of ['documents', 'net', 'vat', 'vat_local']) {
      const [shown, filed] = await byRow(kind, [...keys], column)
      expect([kind, column, shown]).toEqual([kind, column, filed])
    }
  const deferred = await exported('deferred_revenue')
  const { rows: ends } = await report('paid_ahead')
  expect(ends).toHaveLength(12)
  const ofClients = deferred.filter(({ client_id }) => client_id !== '')
  for (const column of ['paid_ahead', 'owed'])
    expect(Math.abs(Number(ends.at(-1)?.[column]) - Number(all(ofClients, column)))).toBeLessThan(0.1)
  const debts = await report('aged_debt')
  const owed =
    await sum(sql`select coalesce(-sum(account_balance + credit_balance), 0) as value from account_balances
    where account_balance + credit_balance < 0`)
  expect(new Big(debts.sums[0]?.owed ?? 0).toFixed(2)).toBe(owed)
})

test('what is posted for days that are over is in the reports after the next run', async () => {
  const client = await db.selectFrom('clients').select('id').orderBy('id').executeTakeFirstOrThrow()
  await sql`select own_action('posted late', 'sql'), ledger_post('late', 'adjustment', ${client.id}, 'USD', '2025-03-10', ${JSON.stringify(
    [
      { account: `client:${client.id}:balance`, amount: '7' },
      { account: 'revenue:other:USD', amount: '-7' },
    ],
  )})`.execute(db)
  const [before] = await reported('revenue', 'corrections')
  await fillReports(db)
  const [after] = await reported('revenue', 'corrections')
  expect(new Big(after).minus(before).toFixed(2)).toBe('-7.00')
  expect((await reported('revenue', 'revenue'))[0]).toBe(await ledgerOf('{revenue:%}'))
})

test('the desk counts and adds up documents and payments as they are, before its counts are merged and after', async () => {
  const read = async () => {
    const lists: (readonly [string, unknown])[] = []
    for (const asked of [
      '',
      'filter[kind]=fiscal',
      'filter[status]=paid',
      'filter[owed]=true',
      'filter[to]=2025-06-30',
    ])
      lists.push([asked, (await billing.get(`${base}/desk-documents?${asked}`)).page.total])
    for (const state of ['', 'filter[state]=settled', 'filter[state]=failed'])
      lists.push([state, (await billing.get(`${base}/desk-payments?${state}`)).page.total])
    return { lists, sums: (await billing.get(`${base}/desk-documents/-actions/sums`)).json }
  }
  const counted = async (from: string, where: string) =>
    Number(
      (
        await sql<{
          n: string
        }>`select count(*) as n from ${sql.table(from)} where ${sql.raw(where)}`.execute(db)
      ).rows[0]?.n,
    )
  const issued = (where: string) => counted('invoices', `issued_at is not null and ${where}`)
  const expected = {
    lists: [
      ['', await issued('true')],
      ['filter[kind]=fiscal', await issued(`kind = 'fiscal'`)],
      ['filter[status]=paid', await issued(`invoice_status_id = invoice_status('paid')`)],
      ['filter[owed]=true', await issued(`invoice_status_id in (2, 3, 5) and kind <> 'credit_note'`)],
      ['filter[to]=2025-06-30', await issued(`issue_date <= '2025-06-30'`)],
      ['', await counted('payments', 'true')],
      [
        'filter[state]=settled',
        await counted('payments', `status in ('succeeded', 'partially_refunded', 'refunded', 'disputed')`),
      ],
      ['filter[state]=failed', await counted('payments', `status = 'failed'`)],
    ],
    sums: {
      sums: (
        await sql`select i.currency, count(*)::int as count, sum(i.net)::float8 as net, sum(i.vat)::float8 as vat,
          sum(i.total)::float8 as total, sum(invoice_open(i))::float8 as open from invoices i
          where i.issued_at is not null and i.kind <> 'proforma' group by 1 order by 1`.execute(db)
      ).rows,
    },
  }
  expect(await read()).toEqual(expected)
  await mergeCounts(db)
  expect(await read()).toEqual(expected)
  const rows = await counted('document_counts', 'true')
  expect(rows).toBe(
    Number(
      (
        await sql<{ n: string }>`select count(*) as n from (select from invoices where issued_at is not null
          group by issue_date, kind, invoice_status_id, currency) x`.execute(db)
      ).rows[0]?.n,
    ),
  )
})

test('every document of the year has an electronic invoice', async () => {
  const { rows } = await sql<{ id: number }>`select id from clients order by id`.execute(db)
  let documents = 0
  for (const { id } of rows) documents += (await electronicInvoices(portal.pool, id)).size
  const { rows: issued } = await sql<{ many: number }>`select count(*)::int as many from invoices
    where kind <> 'proforma' and issued_at is not null`.execute(db)
  expect(documents).toBe(issued[0]?.many)
}, 600_000)

import { base } from '@portico/contract/wire.ts'
import Big from 'big.js'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import { fillReports } from '#money/reports/fill-reports.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { readReport } from '#test/support/reports.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// A consumer pays ahead in Germany, moves to France, and the month deducts what was taxed in Germany. The return of a quarter is due
// at the end of the month after it.

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const third = ['2026-07-01', '2026-09-30'] as const
const fourth = ['2026-10-01', '2026-12-31'] as const
let billing: Visitor
let ana: Account
let italians: readonly [Account, Account]
let bill = 0

/** Deposits of $10 in two quarters, and of $20 in the quarter of the bill over $35. */
beforeAll(async () => {
  await makeOperator(pool)
  await businessTime(pool, '2026-03-06T10:00:00Z')
  billing = portal.staff(await makeAdmin(pool, 'billing'))
  ana = await makePayer(portal)
  await makeBuyer(pool, ana, { country: 'DE', company: false })
  await addCard(portal, ana)
  await pay(portal.as(ana), { net: 10 })
  await businessTime(pool, '2026-06-06T10:00:00Z')
  await pay(portal.as(ana), { net: 10 })
  await businessTime(pool, '2026-07-06T10:00:00Z')
  await pay(portal.as(ana), { net: 20 })
  await used(db, ana, ['2026-07-05'], '35')
  await makeBuyer(pool, ana, { country: 'FR', company: false })
  italians = [await makePayer(portal), await makePayer(portal)]
  for (const one of italians) await makeBuyer(pool, one, { country: 'IT', company: false })
  await businessTime(pool, '2026-08-02T10:00:00Z')
  const month = { from: '2026-07-01', until: '2026-08-01' }
  bill = (await db.transaction().execute((tx) => closeMonth(tx, ana.id, month)))?.id ?? 0
})

async function exported(
  kind: string,
  [from_day, to_day]: readonly [string, string] = third,
): Promise<string> {
  const url = `${base}/accounting-exports`
  const made = await billing.post(url, {
    data: { type: 'accounting-exports', attributes: { kind, from_day, to_day } },
  })
  return (await billing.get(`${url}/${made.one.id}/-actions/download`)).text
}

const cells = ({ quarter, corrected_quarter, country, documents, net, vat }: Record<string, unknown>) =>
  [quarter, corrected_quarter ?? '', country, Number(documents), Number(net), Number(vat)].join(' ')

// The bill deducts 35 of 40, oldest first.
const declared = [
  '2026-Q3  DE 1 5 0.95',
  '2026-Q3  FR 1 35 7',
  '2026-Q3 2026-Q1 DE 1 -10 -1.9',
  '2026-Q3 2026-Q2 DE 0 -10 -1.9',
]

/** The lines of OSS of a quarter by its file and by the report. */
async function shop(quarter: readonly [string, string]) {
  const lines: Record<string, string>[] = parse(await exported('oss', quarter), { columns: true, bom: true })
  await fillReports(db)
  const { rows } = await readReport(billing, 'oss', ...quarter)
  return { file: lines.map(cells).sort(), report: rows.map(cells).sort() }
}

test('OSS names the quarters of the advances that a bill deducts after its buyer has moved', async () => {
  expect(await shop(third)).toEqual({ file: declared, report: declared })
})

/** The amounts that the bookings of a DATEV file leave on its accounts, by their numbers. */
function booked(text: string): Record<string, string> {
  const sums: Record<string, Big> = {}
  const lines: Record<string, string>[] = parse(text, {
    columns: true,
    delimiter: ';',
    from_line: 2,
    bom: true,
  })
  for (const line of lines) {
    const amount = new Big((line['Umsatz (ohne Soll/Haben-Kz)'] ?? '').replace(',', '.'))
    const debit = line['Soll/Haben-Kennzeichen'] === 'S' ? amount : amount.neg()
    const post = (account = '', by: Big) => {
      sums[account] = (sums[account] ?? new Big(0)).plus(by)
    }
    post(line.Konto, debit)
    post(line['Gegenkonto (ohne BU-Schlüssel)'], debit.neg())
  }
  return Object.fromEntries(Object.entries(sums).map(([account, sum]) => [account, sum.toFixed(2)]))
}

test('DATEV has advances that are taxed abroad on the account of which it takes no German VAT', async () => {
  const client = String(1_000_000 + ana.id)
  // An advance of 23.80, of which with those of before 41.65 are deducted from 42.00.
  expect(booked(await exported('datev'))).toEqual({
    [client]: '24.15',
    '171000': '17.85',
    '832000': '-42.00',
  })
})

test('the credit note of that bill corrects the same quarters in OSS', async () => {
  await businessTime(pool, '2026-10-20T10:00:00Z')
  const credited = await keyed(billing, `${base}/invoices/${bill}/-actions/creditNote`, {
    data: { reason: 'Wrong price' },
  })
  expect(credited.status).toBe(200)
  const corrected = [
    '2026-Q4 2026-Q1 DE 1 10 1.9',
    '2026-Q4 2026-Q2 DE 0 10 1.9',
    '2026-Q4 2026-Q3 DE 0 15 2.85',
    '2026-Q4 2026-Q3 FR 1 -35 -7',
  ]
  expect(await shop(fourth)).toEqual({ file: corrected, report: corrected })
})

test('what is issued after the return of its quarter was due corrects that quarter in the one of its own day', async () => {
  const [bob, eva] = italians
  for (const one of italians) await used(db, one, ['2026-09-10'], '100')
  const month = { from: '2026-09-01', until: '2026-10-01' }
  const close = ({ id }: Account) => db.transaction().execute((tx) => closeMonth(tx, id, month))
  await businessTime(pool, '2026-10-31T10:00:00Z')
  await close(bob)
  await businessTime(pool, '2026-11-01T10:00:00Z')
  await close(eva)
  const ofItaly = async (quarter: readonly [string, string]) => {
    const { file, report } = await shop(quarter)
    expect(report).toEqual(file)
    return file.filter((line) => line.includes('IT'))
  }
  expect(await ofItaly(third)).toEqual(['2026-Q3  IT 1 100 22'])
  expect(await ofItaly(fourth)).toEqual(['2026-Q4 2026-Q3 IT 1 100 22'])
})

test('what is only posted on a day has no row for each of its tax points in the report', async () => {
  const { rows } = await sql`select day from report_vat
    where documents = 0 and net = 0 and (declared_on is not null or of_quarter <> '')`.execute(db)
  expect(rows).toEqual([])
})

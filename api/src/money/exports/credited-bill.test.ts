import { base } from '@portico/contract/wire.ts'
import Big from 'big.js'
import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { allAt, readSaft, textAt } from '#test/support/saft.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// The accountant has booked a month when one of its bills is credited later.

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const october = ['2026-10-01', '2026-11-02'] as const
const november = ['2026-11-03', '2026-11-30'] as const
let billing: Visitor
let ana: Account
let bill = 0

/** A deposit of 20 and VAT, which the bill of October over 30 deducts. */
beforeAll(async () => {
  await makeOperator(pool)
  await businessTime(pool, '2026-10-06T10:00:00Z')
  billing = portal.staff(await makeAdmin(pool, 'billing'))
  ana = await makePayer(portal)
  await addCard(portal, ana)
  await pay(portal.as(ana), { net: 20 })
  await used(db, ana, ['2026-10-05'], '30')
  await businessTime(pool, '2026-11-02T10:00:00Z')
  const month = { from: '2026-10-01', until: '2026-11-01' }
  bill = (await db.transaction().execute((tx) => closeMonth(tx, ana.id, month)))?.id ?? 0
})

async function exported(kind: string, [from_day, to_day]: readonly [string, string]): Promise<string> {
  const url = `${base}/accounting-exports`
  const made = await billing.post(url, {
    data: { type: 'accounting-exports', attributes: { kind, from_day, to_day } },
  })
  return (await billing.get(`${url}/${made.one.id}/-actions/download`)).text
}

/** The part of a DATEV file that is not about when it was made. */
const bookingsOf = (text: string): string => text.split('\r\n').slice(1).join('\r\n')

/** What the bookings leave on the account of advances, with VAT. */
function advancesIn(text: string): string {
  const lines: Record<string, string>[] = parse(text, {
    columns: true,
    delimiter: ';',
    from_line: 2,
    bom: true,
  })
  const sum = lines.reduce((all, line) => {
    const amount = new Big((line['Umsatz (ohne Soll/Haben-Kz)'] ?? '').replace(',', '.'))
    const debit = line['Soll/Haben-Kennzeichen'] === 'S' ? amount : amount.neg()
    const on = (account = '') => (account.startsWith('17') ? 1 : 0)
    return all.plus(debit.times(on(line.Konto) - on(line['Gegenkonto (ohne BU-Schlüssel)'])))
  }, new Big(0))
  return sum.toFixed(2)
}

/** What the invoices of a SAF-T file leave on each account, in the currency of the documents. */
function booked(text: string): Record<string, string> {
  const sums: Record<string, Big> = {}
  for (const line of allAt(readSaft(text), 'SourceDocuments/SalesInvoices/Invoice/InvoiceLine')) {
    const amount = new Big(textAt(line, 'InvoiceLineAmount/CurrencyAmount'))
    const account = textAt(line, 'AccountID')
    const isDebit = textAt(line, 'DebitCreditIndicator') === 'D'
    sums[account] = (sums[account] ?? new Big(0)).plus(isDebit ? amount.neg() : amount)
  }
  return Object.fromEntries(Object.entries(sums).map(([account, sum]) => [account, sum.toFixed(2)]))
}

test('a month that was booked stays as it was, and the credit note of its bill brings the advance back', async () => {
  const before = await exported('datev', october)
  const advances = await exported('advances', october)
  expect(advancesIn(before)).toBe('0.00')
  expect(advances.trimEnd().split('\r\n')).toHaveLength(1)

  await businessTime(pool, '2026-11-20T10:00:00Z')
  const credited = await keyed(billing, `${base}/invoices/${bill}/-actions/creditNote`, {
    data: { reason: 'Wrong price' },
  })
  expect(credited.status).toBe(200)

  expect(bookingsOf(await exported('datev', october))).toBe(bookingsOf(before))
  expect(await exported('advances', october)).toBe(advances)
  // The advance is unused again, with its VAT.
  expect(advancesIn(await exported('datev', november))).toBe('-24.20')
  expect(await exported('advances', november)).toContain('20.00,0.00,20.00')
  // What the bill deducted of the advance is an advance again, no sale that was taken back.
  expect(booked(await exported('saft', ['2026-10-01', '2026-10-31']))).toEqual({ '419': '20.00' })
  expect(booked(await exported('saft', ['2026-11-01', '2026-11-30']))).toEqual({
    '419': '0.00',
    '704': '0.00',
  })
})

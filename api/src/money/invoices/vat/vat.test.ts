import Big from 'big.js'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { creditNote } from '#money/invoices/credit-notes.ts'
import { advanceFor, issueInvoice } from '#money/invoices/invoices.ts'
import { type Draft, issueDocument } from '#money/invoices/issue-document.ts'
import { billedOf, operatorOf } from '#money/invoices/parties.ts'
import { quotePayment } from '#money/payments/payment-price.ts'
import { pricedRow } from '#money/payments/start-payment.ts'
import type { Database } from '#platform/db/pool.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import { ruleVat } from './vat.ts'

// The VAT of a consumer in Germany: Romanian, until sales to consumers in other EU countries exceed 46,337 lei.

const { pool } = await testDatabase()
const db = pool.kysely
const here = ['origin', 'RO', '21']
const there = ['destination', 'DE', '19']
let hans: Account

beforeAll(async () => {
  await makeOperator(pool)
  hans = await makeAccount(pool, { projects: 1, panels: 0 })
  await makeBuyer(pool, hans, { country: 'DE', company: false })
})
beforeEach(async () => {
  await businessTime(pool, '2026-11-20T10:00:00Z')
  await sql`update operator_profile set oss_registered = false`.execute(db)
})

type Sale = {
  /** In `currency`, exact; below zero on a credit note. */
  readonly net: string
  readonly on?: string
  readonly rate?: string
  readonly kind?: Draft['kind']
  readonly treatment?: string
}

async function sell(
  tx: Database,
  { net, on, rate, kind = 'fiscal', treatment = 'origin' }: Sale,
): Promise<void> {
  const operator = await operatorOf(tx)
  const decision = { country: 'RO', category: 'S', rate: '21', treatment } as const
  const quantity = new Big(new Big(net).lt(0) ? -1 : 1)
  const sold = await tx.selectFrom('invoices').select('id').where('kind', '=', 'fiscal').executeTakeFirst()
  await issueDocument(tx, {
    clientId: hans.id,
    kind,
    reason: kind === 'credit_note' ? 'storno' : 'manual',
    status: 'paid',
    operator,
    billed: await billedOf(tx, hans.id),
    ruling: { decision, evidence: {} },
    lines: [{ kind: 'manual', en: 'x', ro: 'x', quantity, unitPrice: new Big(net).abs(), vat: decision }],
    taxPoint: on ?? operator.today,
    fx: rate === undefined ? null : { rate, publishedOn: '2026-01-01', source: 'test' },
    correctsId: kind === 'credit_note' ? sold?.id : undefined,
  })
}

type Ask = { readonly sold?: Parameters<typeof ruleVat>[1]['sold']; readonly on?: string }

async function ruled(tx: Database, { sold, on }: Ask = {}) {
  const operator = await operatorOf(tx)
  const { buyer } = await billedOf(tx, hans.id)
  const { decision, evidence } = await ruleVat(tx, {
    operator,
    buyer,
    clientId: hans.id,
    on: on ?? operator.today,
    sold,
  })
  // The document keeps what it was decided by.
  expect(evidence.seller.destination).toBe(decision.treatment === 'destination')
  return [decision.treatment, decision.country, decision.rate]
}

const limit = '46337.00'
const more = '46337.01'

test.each<[what: string, decided: string[], sales: readonly Sale[]]>([
  ['nothing', here, []],
  ['as much as may be', here, [{ net: limit }]],
  ['a cent more', there, [{ net: more }]],
  ['a cent more in many sales', there, [{ net: '40000' }, { net: '6337' }, { net: '0.01' }]],
  ['just less in dollars', here, [{ net: '10297.11', rate: '4.5' }]],
  ['just more in dollars', there, [{ net: '10297.12', rate: '4.5' }]],
  ['as much in lei and euros', here, [{ net: '40000' }, { net: '1267.40', rate: '5' }]],
  ['more in lei and euros', there, [{ net: '40000' }, { net: '1267.41', rate: '5' }]],
  [
    'each at the rate of its day',
    there,
    [
      { net: '5000', rate: '4.5' },
      { net: '5000', rate: '4.8' },
    ],
  ],
  ['more on the first day of this year', there, [{ net: more, on: '2026-01-01' }]],
  ['more on the last day of last year', there, [{ net: more, on: '2025-12-31' }]],
  ['more on the first day of last year', there, [{ net: more, on: '2025-01-01' }]],
  ['more on the day before that', here, [{ net: more, on: '2024-12-31' }]],
  [
    'more in two years, and in neither',
    here,
    [
      { net: limit, on: '2025-12-31' },
      { net: limit, on: '2026-01-01' },
    ],
  ],
  ['more, and a cent taken back', here, [{ net: more }, { net: '-0.01', kind: 'credit_note' }]],
  [
    'more last year, and it was taken back this year',
    there,
    [
      { net: more, on: '2025-06-01' },
      { net: '-46337.01', kind: 'credit_note' },
    ],
  ],
  ['a request for more, unpaid', here, [{ net: more, kind: 'proforma' }]],
  ['more at home', here, [{ net: more, treatment: 'domestic' }]],
  ['more by companies', here, [{ net: more, treatment: 'reverse_charge' }]],
  ['more outside of the EU', here, [{ net: more, treatment: 'outside_eu' }]],
  ['more, some of it at their own rates', there, [{ net: limit, treatment: 'destination' }, { net: '0.01' }]],
])('of what was sold before, %s: %j', async (_, decided, sales) => {
  const tx = await db.startTransaction().execute()
  try {
    for (const sale of sales) await sell(tx, sale)
    expect(await ruled(tx)).toEqual(decided)
  } finally {
    await tx.rollback().execute()
  }
})

/** What is done in a transaction that is taken back. */
async function undone(work: (tx: Database) => Promise<void>): Promise<void> {
  const tx = await db.startTransaction().execute()
  try {
    await work(tx)
  } finally {
    await tx.rollback().execute()
  }
}

test.each<[what: string, decided: string[], before: string, net: string, currency?: string]>([
  ['comes to the limit exactly', here, '40000', '6337'],
  ['exceeds it by a cent', there, '40000', '6337.01'],
  ['exceeds it alone', there, '0.01', limit],
  ['comes to it in dollars', here, '46328.00', '2.00', 'USD'],
  ['exceeds it in dollars', there, '46328.00', '2.01', 'USD'],
])('the sale that %s is taxed at home or already in the country of its buyer: %j', (...given) =>
  undone(async (tx) => {
    const [, decided, before, net, currency = 'RON'] = given
    await sell(tx, { net: before })
    expect(await ruled(tx, { sold: { currency, netAt: () => new Big(net) } })).toEqual(decided)
  }),
)

test.each<[what: string, decided: string, sold: Sale, on: string]>([
  ['in the year of its own day', 'destination', { net: more, on: '2025-06-01' }, '2025-12-30'],
  ['in the year before its own day', 'destination', { net: more, on: '2024-06-01' }, '2025-03-01'],
  ['later in its year', 'origin', { net: more, on: '2025-06-01' }, '2025-05-31'],
  ['after its year', 'origin', { net: more, on: '2026-06-01' }, '2025-12-31'],
  ['two years before its own day', 'origin', { net: more, on: '2024-12-31' }, '2026-01-01'],
])('a sale of an earlier day is measured by what was sold %s: %s', (_, decided, sale, on) =>
  undone(async (tx) => {
    await sell(tx, sale)
    expect((await ruled(tx, { on }))[0]).toBe(decided)
    const sold = { currency: 'RON', netAt: () => new Big('1') }
    expect((await ruled(tx, { on, sold }))[0]).toBe(decided)
  }),
)

test.each([
  ['DE', '46000'],
  ['HU', '46000'],
])('a price, its proforma and its invoice agree in %s about every amount near the limit', (country, before) =>
  undone(async (tx) => {
    await sql`update client_entities set country_id = (select id from countries where code = ${country})
      where client_id = ${hans.id}`.execute(tx)
    await sell(tx, { net: before })
    const seen = new Set<string>()
    // What is left is 74.88 dollars.
    for (const net of ['70.00', '73.00', '74.88', '74.89', '75.00', '76.00', '77.50', '90.00']) {
      await sql`savepoint one`.execute(tx)
      const { decision } = await priced(tx, net)
      const row = await pricedRow(tx, { clientId: hans.id, net })
      const invoice = await issueInvoice(tx, {
        clientId: hans.id,
        sum: { gross: row.gross },
        proformaId: row.proforma_id ?? undefined,
      })
      expect(decision).toBe(new Big(net).gt('74.88') ? 'destination' : 'origin')
      const stored = await tx
        .selectFrom('invoices')
        .select(['vat_treatment', 'net'])
        .where('id', 'in', [invoice.id, row.proforma_id ?? 0])
        .execute()
      expect([net, ...stored]).toEqual([net, ...Array(2).fill({ vat_treatment: decision, net })])
      seen.add(decision)
      await sql`rollback to savepoint one`.execute(tx)
    }
    expect([...seen]).toEqual(['origin', 'destination'])
  }),
)

async function priced(tx: Database, net: string) {
  const { treatment } = await quotePayment(tx, { clientId: hans.id, net })
  return { decision: treatment }
}

test('what a payment uses for bills is no new sale', () =>
  undone(async (tx) => {
    await sell(tx, { net: '46000' })
    const gross = '500'
    const treatmentOf = async (sale?: { gross: string }) =>
      (await advanceFor(tx, { clientId: hans.id, sum: { gross }, sale })).ruling.decision.treatment
    expect(await treatmentOf()).toBe('destination')
    expect(await treatmentOf({ gross: '50' })).toBe('origin')
  }))

test('the year turns with the day of the operator, and what was sold two years ago is forgotten', async () => {
  const tx = await db.startTransaction().execute()
  try {
    await sell(tx, { net: more, on: '2025-12-31' })
    const at = async (time: string) => {
      await sql`update clock set ahead = ${time}::timestamptz - now()`.execute(tx)
      return ruled(tx)
    }
    expect(await at('2026-12-31T21:59:00Z')).toEqual(there)
    expect(await at('2026-12-31T22:01:00Z')).toEqual(here)
  } finally {
    await tx.rollback().execute()
  }
})

test('an operator who chose the buyers’ rates needs no count of sales', async () => {
  await sql`update operator_profile set oss_registered = true`.execute(db)
  expect(await ruled(db)).toEqual(there)
})

test('invoices go over to the buyer’s rate by themselves, and back when the sale is taken back', async () => {
  const advance = (net: string) => issueInvoice(tx, { clientId: hans.id, sum: { net } })
  const tx = await db.startTransaction().execute()
  try {
    const large = await advance('10297.12')
    // It exceeds the limit itself.
    expect(large.groups).toMatchObject([{ country: 'DE', rate: '19' }])
    const small = await advance('100')
    expect(small.groups).toMatchObject([{ country: 'DE', rate: '19', vat: '19.00' }])
    await creditNote(tx, { invoiceId: large.id, reason: { en: 'back', ro: 'înapoi' } })
    expect((await advance('100')).groups).toMatchObject([{ country: 'RO', rate: '21' }])
  } finally {
    await tx.rollback().execute()
  }
})

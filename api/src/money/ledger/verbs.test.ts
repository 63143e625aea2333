import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transact.ts'
import { makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { businessTime, byStaff, used } from '#test/support/money.ts'
import { serviceBillIssued, serviceBillPaid, writeOff } from './bills.ts'
import { expirePromo, grantGoodwill, grantPromo } from './credit.ts'
import { deposit, disputeLost, refund } from './deposits.ts'
import { bringOver } from './opening.ts'
import { reverse } from './reverse.ts'
import { verifyLedger } from './verify.ts'

const { pool } = await testDatabase(24)
const db = pool.kysely

/** A client with empty books. */
const client = () => makeAccount(pool, { projects: 1, panels: 1, opening: null })

const post = <T>(work: (tx: Database) => Promise<T>) => transact(pool.kysely, 'read write', work)
const wire = { currency: 'USD', on: '2026-10-01', means: 'psp:sandbox' } as const
const vat = (amount: string) => ({ amount, country: 'RO', rate: '21.0' })

async function held(clientId: number) {
  const { rows } = await sql<Record<string, string>>`select account_balance, credit_balance, negative_since
    from account_balances where client_id = ${clientId}`.execute(db)
  return Object.values(rows[0] ?? {})
}
/** The sums per account, of the platform and the client, over a client's transactions. */
async function sums(clientId: number) {
  const { rows } = await sql<{ code: string; sum: string }>`
    select replace(a.code, 'client:' || t.client_id, 'client') as code, trim_scale(sum(e.amount))::text as sum
    from ledger_transactions t join ledger_entries e on e.transaction_id = t.id join ledger_accounts a on a.id = e.account_id
    where t.client_id = ${clientId} group by 1 order by 1`.execute(db)
  return Object.fromEntries(rows.map(({ code, sum }) => [code, sum]))
}

test('a deposit, credit, a month of use, its bill and the payment of it come to nothing owed', async () => {
  const account = await client()
  const clientId = account.id
  await post((tx) => grantPromo(tx, { ...wire, clientId, key: 's:promo', amount: '20' }))
  const paid = { ...wire, clientId, key: 's:pay', net: '50', vat: vat('10.50') }
  expect(await post((tx) => deposit(tx, paid))).toMatchObject({ posted: true })
  expect(await post((tx) => deposit(tx, paid))).toMatchObject({ posted: false })
  for (let day = 5; day <= 14; day++) {
    // A day is charged on the next one.
    await businessTime(pool, `2026-10-${String(day + 1).padStart(2, '0')}T02:00:00Z`)
    await used(db, account, [`2026-10-${String(day).padStart(2, '0')}`], '10')
  }
  // 20 of credit, then 50 of money: the eighth day is not covered.
  expect(await held(clientId)).toEqual(['-30.000000', '0.000000', '2026-10-12'])
  const bill = { currency: 'USD', clientId, key: 's:bill', vat: vat('6.30'), on: '2026-10-31' }
  await post((tx) => serviceBillIssued(tx, bill))
  const settled = { ...wire, clientId, key: 's:settle', net: '30', vat: '6.3' }
  await post((tx) => serviceBillPaid(tx, settled))
  expect(await held(clientId)).toEqual(['0.000000', '0.000000', null])
  expect(await sums(clientId)).toEqual({
    'client:balance': '0',
    'client:credit': '0',
    'client:vat_due': '0',
    'promo:USD': '-20',
    'psp:sandbox:USD': '-96.8',
    'revenue:usage:USD': '100',
    // 21 % of the use that was not given away.
    'vat:RO:21:USD': '16.8',
  })
  expect(await verifyLedger(db)).toEqual([])
})

test('each verb writes its rule', async () => {
  const { id: clientId } = await client()
  const plain = { currency: 'USD', on: '2026-10-01', clientId }
  await post((tx) => deposit(tx, { ...wire, clientId, key: 'v1', net: '100', vat: vat('21') }))
  await post((tx) => refund(tx, { ...wire, clientId, key: 'v2', net: '40', vat: vat('8.4') }))
  await post((tx) => byStaff(tx, () => grantGoodwill(tx, { ...plain, key: 'v3', amount: '3' })))
  await post((tx) => grantPromo(tx, { ...plain, key: 'v4', amount: '5' }))
  await post((tx) => expirePromo(tx, { ...plain, key: 'v5', amount: '2' }))
  await post((tx) => disputeLost(tx, { ...wire, clientId, key: 'v6', net: '100', vat: '21' }))
  expect(await sums(clientId)).toEqual({
    'client:balance': '-40',
    'client:credit': '6',
    'client:vat_due': '-21',
    'goodwill:USD': '-3',
    'promo:USD': '-3',
    'psp:sandbox:USD': '48.4',
    'vat:RO:21:USD': '12.6',
  })
  const loss = { ...plain, key: 'v7', net: '40', vat: '21' }
  await post((tx) => writeOff(tx, loss))
  expect(await post((tx) => writeOff(tx, loss))).toMatchObject({ posted: false })
  expect(await sums(clientId)).toMatchObject({
    'client:balance': '0',
    'client:vat_due': '0',
    'writeoff:USD': '-61',
  })
  expect(await verifyLedger(db)).toEqual([])
})

test('refunds, reversals and write-offs beyond the available amount are refused', async () => {
  const { id: clientId } = await client()
  const plain = { currency: 'USD', clientId }
  await post((tx) => bringOver(tx, clientId, { balance: '10', credit: '5', on: '2026-09-01' }))
  const refused = async (code: string, work: (tx: Database) => Promise<unknown>) =>
    expect(post(work)).rejects.toMatchObject({ code })
  await refused('insufficient_balance', (tx) =>
    refund(tx, { ...wire, clientId, key: 'r1', net: '10.000001' }),
  )
  await refused('credit_insufficient', (tx) => expirePromo(tx, { ...plain, key: 'r2', amount: '5.01' }))
  await refused('write_off_most', (tx) => writeOff(tx, { ...plain, key: 'r3', net: '1', vat: '1' }))
  await refused('account_currency_differs', (tx) =>
    deposit(tx, { ...wire, clientId, key: 'r4', currency: 'EUR', net: '1' }),
  )
  const wrong = {
    amount_not_positive: ['0', '-1'],
    amount_decimals_most: ['0.0000001'],
    amount_invalid: ['1e3', 'NaN', '', '999999999999999'],
  }
  for (const [code, nets] of Object.entries(wrong))
    for (const net of nets) await refused(code, (tx) => deposit(tx, { ...wire, clientId, key: 'r5', net }))
  await refused('not_found', (tx) => deposit(tx, { ...wire, clientId: 0, key: 'r6', net: '1' }))
  await refused('ledger_key_reused', (tx) =>
    bringOver(tx, clientId, { balance: '11', credit: '5', on: '2026-09-01' }),
  )
  expect(await held(clientId)).toEqual(['10.000000', '5.000000', null])
})

test('a posting without a day counts for today by the business clock', async () => {
  await businessTime(pool, '2031-05-06T07:00:00Z')
  const { id: clientId } = await client()
  const due = { currency: 'USD', clientId, means: 'bank', key: 'later' } as const
  await post((tx) => disputeLost(tx, { ...due, net: '4', vat: '0' }))
  expect(await held(clientId)).toEqual(['-4.000000', '0.000000', '2031-05-06'])
})

test('of four concurrent refunds of the whole balance one is made', async () => {
  for (let round = 0; round < 10; round++) {
    const { id: clientId } = await client()
    await post((tx) => deposit(tx, { ...wire, clientId, key: `race:${round}`, net: '33.33' }))
    const tries = [1, 2, 3, 4].map((n) =>
      post((tx) => refund(tx, { ...wire, clientId, key: `back:${round}:${n}`, net: '33.33' })),
    )
    const results = await Promise.allSettled(tries)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const failed = results.filter((one) => one.status === 'rejected')
    expect(failed.map(({ reason }) => reason.code)).toEqual(Array(3).fill('insufficient_balance'))
    expect(await held(clientId)).toEqual(['0.000000', '0.000000', null])
  }
})

test('the same refund sent four times at once is made once, and answered four times', async () => {
  const { id: clientId } = await client()
  await post((tx) => deposit(tx, { ...wire, clientId, key: 'same', net: '10' }))
  const once = () => post((tx) => refund(tx, { ...wire, clientId, key: 'same back', net: '10' }))
  const results = await Promise.all([once(), once(), once(), once()])
  expect(new Set(results.map(({ id }) => id)).size).toBe(1)
  expect(results.filter(({ posted }) => posted)).toHaveLength(1)
})

/** Runs all of it, so many at a time. */
async function atOnce<T>(many: number, works: readonly (() => Promise<T>)[]) {
  const results: PromiseSettledResult<T>[] = []
  const waiting = [...works]
  const worker = async () => {
    for (let work = waiting.shift(); work; work = waiting.shift())
      results.push(...(await Promise.allSettled([work()])))
  }
  await Promise.all(Array.from({ length: many }, worker))
  return results
}

test('of fifty concurrent requests for a balance of ten, ten succeed', async () => {
  const { id: clientId } = await client()
  await post((tx) => deposit(tx, { ...wire, clientId, key: 'ten', net: '10' }))
  const results = await atOnce(
    20,
    Array.from(
      { length: 50 },
      (_, n) => () => post((tx) => refund(tx, { ...wire, clientId, key: `one of ten:${n}`, net: '1' })),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(await held(clientId)).toEqual(['0.000000', '0.000000', null])
})

test.each([
  ['what no fraction of two holds', ['0.1', '0.2'], '0.300000'],
  ['beyond the whole numbers of a double', ['90071992547409.930001', '0.000001'], '90071992547409.930002'],
  ['beyond 32 bits', ['2147483648', '0.000001'], '2147483648.000001'],
])('amounts are exact: %s', async (name, amounts, sum) => {
  const { id: clientId } = await client()
  for (const [n, net] of amounts.entries())
    await post((tx) => deposit(tx, { ...wire, clientId, key: `${name}:${n}`, net }))
  expect((await held(clientId))[0]).toBe(sum)
})

test('500 transactions over 80 accounts, each reversed twice at once, are each reversed once', {
  timeout: 60_000,
}, async () => {
  const clients: number[] = []
  for (let n = 0; n < 80; n++) clients.push((await client()).id)
  const made = await atOnce(
    20,
    Array.from({ length: 500 }, (_, n) => async () => {
      const clientId = clients[n % 80] ?? 0
      return (await post((tx) => deposit(tx, { ...wire, clientId, key: `bulk:${n}`, net: '5' }))).id
    }),
  )
  const ids = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  expect(ids).toHaveLength(500)
  const results = await atOnce(
    20,
    ids.flatMap((id) =>
      ['first', 'second'].map((wish) => () => post((tx) => reverse(tx, id, `${wish}:${id}`))),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(500)
  const refused = results.filter((one) => one.status === 'rejected')
  expect(new Set(refused.map(({ reason }) => reason.code))).toEqual(new Set(['already_reversed']))
  expect(await verifyLedger(db)).toEqual([])
  for (const clientId of clients) expect((await held(clientId))[0]).toBe('0.000000')
})

test('two transactions that deadlock are both posted without an error', async () => {
  const [one, two] = [(await client()).id, (await client()).id]
  const bothHold = Promise.withResolvers<void>()
  let holding = 0
  const inTurn = (first: number, then: number, key: string) =>
    post(async (tx) => {
      await deposit(tx, { ...wire, clientId: first, key: `${key}:1`, net: '5' })
      if (++holding === 2) bothHold.resolve()
      await bothHold.promise
      return deposit(tx, { ...wire, clientId: then, key: `${key}:2`, net: '5' })
    })
  await Promise.all([inTurn(one, two, 'there'), inTurn(two, one, 'back again')])
  // One of them had to begin again, and may do so twice: a free row goes to who asks first, not to who waited.
  expect(holding).toBeGreaterThan(2)
  expect([(await held(one))[0], (await held(two))[0]]).toEqual(['10.000000', '10.000000'])
})

test('verification reports each place where the ledger was tampered with', async () => {
  const account = await client()
  const { id: clientId } = account
  await post((tx) => deposit(tx, { ...wire, clientId, key: 'tampered', net: '7' }))
  await used(db, account, [wire.on], '3')
  await db.transaction().execute(async (tx) => {
    // As an operator could who switches the rules off.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update account_balances set account_balance = 700, negative_since = '2026-01-01'
      where client_id = ${clientId}`.execute(tx)
    await sql`update ledger_entries set amount = 70 where amount = 7`.execute(tx)
    await sql`update usages set charged_amount = 4 where client_id = ${clientId}`.execute(tx)
    await sql`update usage_charges set from_credit = 1 where client_id = ${clientId}`.execute(tx)
  })
  const found = new Set((await verifyLedger(db)).map(({ what }) => what))
  expect([...found]).toEqual([
    'sum of a transaction',
    'balance of an account',
    'balance after an entry',
    'what a client holds',
    'since when a client is below zero',
    'charges of a day',
    'posting of a charge',
    'billing log',
  ])
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '#platform/db/pool.ts'
import { makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const ana = await makeAccount(pool, { projects: 1, panels: 0 })
const other = await makeAccount(pool, { projects: 1, panels: 0 })

/** Runs statements in one transaction, as a person with a database shell could. */
const byHand = (...statements: string[]) =>
  db.transaction().execute(async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })

const accountOf = (code: string) => `(select id from ledger_accounts where code = '${code}')`
const balance = `client:${ana.id}:balance`
const credit = `client:${ana.id}:credit`

let keys = 0
const open = (key = `hand:${++keys}`, client: number | null = ana.id) =>
  `insert into ledger_transactions (idempotency_key, kind, client_id, currency, effective_on)
    values ('${key}', 'deposit', ${client}, 'USD', '2026-01-02')`
const last = `(select max(id) from ledger_transactions)`
const entry = (code: string, amount: number | string, currency = 'USD', transaction = last) =>
  `insert into ledger_entries (transaction_id, account_id, currency, amount)
    values (${transaction}, ${accountOf(code)}, '${currency}', '${amount}')`

const held = async (client = ana.id) => {
  const { rows } = await sql<{ account_balance: string; credit_balance: string; negative_since: string }>`
    select account_balance, credit_balance, negative_since from account_balances where client_id = ${client}`.execute(
    db,
  )
  return Object.values(rows[0] ?? {})
}
const before = await held()

type Line = readonly [account: string, amount: string | number]
const posting = (key: string, lines: readonly Line[], more: { client?: number; on?: string } = {}) =>
  sql<{
    id: number
    posted: boolean
  }>`select id, posted from ledger_post(${key}, 'deposit', ${more.client ?? ana.id},
    'USD', ${more.on ?? '2026-01-02'}, ${JSON.stringify(lines.map(([account, amount]) => ({ account, amount })))}::jsonb)`
const post = async (tx: Database, ...about: Parameters<typeof posting>) =>
  (await posting(...about).execute(tx)).rows[0]

await byHand(`select ledger_account('bank:USD', 'USD')`, `select ledger_account('bank:EUR', 'EUR')`)

test.each([
  ['one entry', [open(), entry(balance, 5)], /ledger_unbalanced/],
  ['no entry', [open()], /ledger_unbalanced/],
  [
    'entries that do not sum to zero',
    [open(), entry(balance, 5), entry('bank:USD', -4)],
    /ledger_unbalanced/,
  ],
  [
    'an entry more after the check was asked for early',
    [open(), entry(balance, 5), entry('bank:USD', -5), 'set constraints all immediate', entry(balance, 1)],
    /ledger_unbalanced/,
  ],
  ['an amount of nothing', [open(), entry(balance, 0), entry('bank:USD', 0)], /ledger_entries_amount_check/],
  ['what is not a number', [open(), entry(balance, 'NaN'), entry('bank:USD', 'NaN')], /check/],
])('the books refuse %s', async (_, statements, message) => {
  await expect(byHand(...statements)).rejects.toThrow(message)
})

test('a transaction cannot grow once it was committed', async () => {
  await byHand(open('grown'), entry(balance, 5), entry('bank:USD', -5))
  const closed = `(select id from ledger_transactions where idempotency_key = 'grown')`
  const more = [entry(balance, 1, 'USD', closed), entry('bank:USD', -1, 'USD', closed)]
  await expect(byHand(...more)).rejects.toThrow(/ledger_transaction_closed/)
  // Not even when it was said beforehand that a later one would write to it.
  const forged = `insert into ledger_transactions (idempotency_key, kind, client_id, currency, effective_on, written_by)
    values ('forged', 'deposit', ${ana.id}, 'USD', '2026-01-02', '999999999')`
  await byHand(forged, entry(balance, 1), entry('bank:USD', -1))
  const { rows } = await sql`select 1 from ledger_transactions where written_by = '999999999'`.execute(db)
  expect(rows).toEqual([])
  await byHand(open('back'), entry(balance, -6), entry('bank:USD', 6))
})

test('what staff alone may post needs their action, which it keeps', async () => {
  const gift = open('gift').replace("'deposit'", "'goodwill'")
  const forged = gift.replace('effective_on)', 'effective_on, staff_action_id)').replace(/\)$/, ', 1)')
  const entries = [entry(credit, 5), entry('bank:USD', -5)]
  await expect(byHand(gift, ...entries)).rejects.toThrow(/ledger_needs_staff/)
  await expect(byHand(forged, ...entries)).rejects.toThrow(/ledger_needs_staff/)
  await byHand(`select own_action('a gift', 'sql')`, gift, ...entries)
  const { rows } =
    await sql`select s.reason from ledger_transactions t join staff_actions s on s.id = t.staff_action_id
    where t.idempotency_key = 'gift'`.execute(db)
  expect(rows).toEqual([{ reason: 'a gift' }])
  await byHand(open('gift back'), entry(credit, -5), entry('bank:USD', 5))
})

test.each([
  'update ledger_entries set amount = amount',
  'delete from ledger_entries',
  'truncate ledger_entries',
  'update ledger_transactions set kind = kind',
  'delete from ledger_transactions where false',
  'truncate ledger_transactions cascade',
  'update ledger_accounts set balance = 0',
  'delete from ledger_accounts where false',
  'truncate ledger_accounts cascade',
  `insert into ledger_accounts (code, kind, currency, balance) values ('bank:RON', 'bank', 'RON', 5)`,
  'update account_balances set account_balance = 1000',
  `insert into account_balances (client_id) values (1)`,
  'delete from account_balances',
  'truncate account_balances',
])('written rows are immutable: %s', async (statement) => {
  await expect(byHand(statement)).rejects.toThrow(/ledger_closed/)
})

test('transaction, entry and account have one currency', async () => {
  await expect(byHand(open(), entry(balance, 5, 'EUR'), entry('bank:EUR', -5, 'EUR'))).rejects.toThrow(
    /ledger_entries_same_currency/,
  )
  await expect(byHand(open(), entry(balance, 5), entry('bank:EUR', -5))).rejects.toThrow(
    /ledger_entries_account_currency/,
  )
})

test('credit does not go below zero', async () => {
  await expect(byHand(open(), entry(credit, '-10.000001'), entry('bank:USD', '10.000001'))).rejects.toThrow(
    /ledger_accounts_credit_not_negative/,
  )
})

test('a transaction moves the accounts of one client', async () => {
  const theirs = `client:${other.id}:balance`
  await expect(byHand(open(), entry(theirs, 5), entry('bank:USD', -5))).rejects.toThrow(
    /ledger_foreign_account/,
  )
  await expect(byHand(open('none', null), entry(balance, 5), entry('bank:USD', -5))).rejects.toThrow(
    /ledger_foreign_account/,
  )
})

test('the same key writes once, and nothing else under it', async () => {
  const lines: Line[] = [
    [balance, '5.10'],
    ['bank:USD', -5.1],
  ]
  const first = await post(db, 'twice', lines)
  expect(first).toMatchObject({ posted: true })
  expect(await post(db, 'twice', lines, { on: '2026-01-03' })).toEqual({ id: first?.id, posted: false })
  const wrong: Line[] = [
    [balance, '5.20'],
    ['bank:USD', '-5.20'],
  ]
  await expect(post(db, 'twice', wrong)).rejects.toMatchObject({ code: 'LG002' })
  await expect(post(db, 'twice', lines, { client: other.id })).rejects.toMatchObject({ code: 'LG002' })
  await expect(byHand(open('twice'))).rejects.toMatchObject({ code: '23505' })
  await post(db, 'twice back', [
    [balance, '-5.10'],
    ['bank:USD', '5.10'],
  ])
})

test('an unknown account and an amount that cannot be stored are refused at once', async () => {
  const to = (account: string, amount = '1') =>
    post(db, 'never', [
      [balance, amount],
      [account, `-${amount}`],
    ])
  for (const code of ['cash:USD', 'bank:EUR:USD', 'client:0:balance', 'vat:RO:USD', 'psp::USD'])
    await expect(to(code), code).rejects.toMatchObject({ code: 'LG001' })
  await expect(to('bank:USD', '0.0000001')).rejects.toThrow(/ledger_too_precise/)
  await expect(to('bank:USD', '1e15')).rejects.toThrow(/overflow/)
  await expect(post(db, 'never', [[balance, 1]])).rejects.toThrow(/ledger_unbalanced/)
  for (const code of ['psp:sandbox:USD', 'vat:RO:21:USD', 'vat:HU:5.5:USD', 'revenue:usage:USD', 'fees:USD'])
    await db.transaction().execute(async (tx) => {
      expect(await sql`select ledger_account(${code}, 'USD')`.execute(tx)).toBeTruthy()
    })
})

test('remembers since when an account is below zero, credit included', async () => {
  const move = (key: string, amount: string, on: string) =>
    post(
      db,
      key,
      [
        [`client:${other.id}:balance`, amount],
        ['bank:USD', amount.startsWith('-') ? amount.slice(1) : `-${amount}`],
      ],
      { client: other.id, on },
    )
  await move('a', '-22.345678', '2026-02-01')
  expect(await held(other.id)).toEqual(['-10.000000', '10.000000', null])
  await move('b', '-0.000001', '2026-02-02')
  await move('c', '-5', '2026-02-03')
  expect(await held(other.id)).toEqual(['-15.000001', '10.000000', '2026-02-02'])
  await move('d', '5.000001', '2026-02-04')
  expect(await held(other.id)).toEqual(['-10.000000', '10.000000', null])
})

test('the currency of a client is fixed once the books have begun', async () => {
  const change = (id: number) =>
    byHand(`update clients set currency_id = (select id from currencies where code = 'EUR') where id = ${id}`)
  await expect(change(ana.id)).rejects.toThrow(/ledger_currency_fixed/)
  const { rows } = await sql<{
    id: number
  }>`insert into clients (email, first_name, last_name, language_id, currency_id)
    values ('new@example.com', 'Eva', 'Nou', 1, 1) returning id`.execute(db)
  const fresh = rows[0]?.id ?? 0
  await change(fresh)
  const accounts = await sql<
    Record<string, string>
  >`select kind, currency from ledger_accounts where client_id = ${fresh} order by id`.execute(db)
  expect(accounts.rows.map((row) => Object.values(row))).toEqual([
    ['client_balance', 'EUR'],
    ['client_credit', 'EUR'],
    ['client_vat_due', 'EUR'],
  ])
  await byHand(`delete from clients where id = ${fresh}`)
  expect(await held(fresh)).toEqual([])
})

test('a refused posting leaves nothing behind', async () => {
  expect(await held()).toEqual(before)
  const { rows } =
    await sql`select transaction_id from ledger_entries group by 1 having sum(amount) <> 0`.execute(db)
  expect(rows).toEqual([])
})

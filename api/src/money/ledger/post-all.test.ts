import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transact } from '#platform/db/transact.ts'
import { makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { clientAccount } from './entries.ts'
import { type Posting, post, postAll } from './post.ts'
import { verifyLedger } from './verify.ts'

const { pool } = await testDatabase(8)
const db = pool.kysely

const client = async () => (await makeAccount(pool, { projects: 1, panels: 1, opening: null })).id

const deposit = (clientId: number, amount: string, key: string = randomUUID()): Posting => ({
  key,
  kind: 'deposit',
  clientId,
  currency: 'USD',
  entries: [
    { account: 'bank:USD', amount: `-${amount}` },
    { account: clientAccount(clientId, 'balance'), amount },
  ],
})

const posted = (postings: readonly Posting[]) => transact(db, 'read write', (tx) => postAll(tx, postings))

async function balanceOf(clientId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('account_balances')
    .select('account_balance')
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return row?.account_balance
}

test('postings together move money as each alone does, and the same keys again nothing', async () => {
  const [one, other] = [await client(), await client()]
  const all = [deposit(one, '10'), deposit(other, '20'), deposit(one, '5')]
  const first = await posted(all)
  expect(first.map((each) => each.posted)).toEqual([true, true, true])
  expect(await posted(all)).toEqual(first.map(({ id }) => ({ id, posted: false })))
  expect([await balanceOf(one), await balanceOf(other)]).toEqual(['15.000000', '20.000000'])
  const alone = await db.transaction().execute((tx) => post(tx, all[1] ?? deposit(other, '20')))
  expect(alone).toEqual({ id: first[1]?.id, posted: false })
  const { rows } = await sql<{ entries: number; log: number }>`select
      (select count(*)::int from ledger_entries e join ledger_transactions t on t.id = e.transaction_id where t.client_id in (${one}, ${other})) as entries,
      (select count(*)::int from billing_logs where client_id in (${one}, ${other})) as log`.execute(db)
  expect(rows).toEqual([{ entries: 6, log: 3 }])
  expect(await verifyLedger(db)).toEqual([])
})

test('a key that is repeated among them is posted once, and refused with other data', async () => {
  const [one, other] = [await client(), await client()]
  const twice = deposit(one, '10')
  const [first, second] = await posted([twice, twice])
  expect(second).toEqual({ id: first?.id, posted: false })
  expect(await balanceOf(one)).toBe('10.000000')
  await expect(posted([deposit(other, '3'), deposit(other, '10', twice.key)])).rejects.toMatchObject({
    code: 'ledger_key_reused',
  })
  await expect(posted([deposit(other, '3', 'shared'), deposit(one, '3', 'shared')])).rejects.toMatchObject({
    code: 'ledger_key_reused',
  })
  expect(await balanceOf(other)).toBe('0.000000')
})

test.each([
  ['does not add up', [{ account: 'bank:USD', amount: '-1' }], /ledger_unbalanced/],
  [
    'is too precise',
    [
      { account: 'bank:USD', amount: '-0.0000001' },
      { account: 'fees:USD', amount: '0.0000001' },
    ],
    /ledger_too_precise/,
  ],
])('one that %s takes the others back', async (_, entries, refused) => {
  const [one, other] = [await client(), await client()]
  await expect(posted([deposit(one, '10'), { ...deposit(other, '1'), entries }])).rejects.toThrow(refused)
  expect(await balanceOf(one)).toBe('0.000000')
})

test('the same keys at once are posted once', async () => {
  const clients = await Promise.all(Array.from({ length: 4 }, client))
  const all = clients.map((id) => deposit(id, '7'))
  const done = await Promise.all([posted(all), posted(all.toReversed()), posted(all)])
  expect(done.flat().filter((each) => each.posted)).toHaveLength(4)
  expect(await Promise.all(clients.map(balanceOf))).toEqual(clients.map(() => '7.000000'))
  expect(await verifyLedger(db)).toEqual([])
})

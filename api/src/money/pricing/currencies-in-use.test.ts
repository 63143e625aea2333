import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { adjustBalance } from '#money/ledger/credit.ts'
import { bringOver } from '#money/ledger/opening.ts'
import { makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { byStaff } from '#test/support/money.ts'
import { offerCurrencies } from '#test/support/newcomer.ts'
import { makeMember } from '#test/support/staff.ts'
import { withEveryCurrency } from './file/example-plans.ts'

const { pool } = await testDatabase()
const db = pool.kysely
await offerCurrencies(pool, 'RON', 'EUR')
const mihai = await makeAccount(pool, { currency: 'RON' })

const give = (list: string) =>
  sql`insert into client_price_lists (client_id, price_list_id, valid)
    select ${mihai.id}, id, '[2026-01-01,)' from price_lists where code = ${list}`.execute(db)

test('a client gets prices of the own currency alone, also when a list is changed later', async () => {
  await sql`insert into price_lists (code, currency) values ('dollars', 'USD'), ('lei', 'RON')`.execute(db)
  await expect(give('dollars')).rejects.toMatchObject({ constraint: 'price_list_of_currency', detail: 'USD' })
  await give('lei')
  await expect(
    sql`update price_lists set currency = 'USD' where code = 'lei'`.execute(db),
  ).rejects.toMatchObject({ constraint: 'price_list_of_currency' })
  await expect(
    sql`update client_price_lists set price_list_id = (select id from price_lists where code = 'dollars')
      where client_id = ${mihai.id}`.execute(db),
  ).rejects.toMatchObject({ constraint: 'price_list_of_currency' })
})

test('a currency keeps its default prices while an open account is kept in it, and loses them afterwards', async () => {
  const end = (list: string) =>
    sql`update price_lists set is_default = false where code = ${list}`.execute(db)
  await expect(end('ron')).rejects.toMatchObject({ constraint: 'currency_in_use', detail: 'RON' })
  await end('eur')
  // Another list takes its place at the same commit.
  await db.transaction().execute(async (tx) => {
    await sql`update price_lists set is_default = false where code = 'ron'`.execute(tx)
    await sql`update price_lists set is_default = true where code = 'lei'`.execute(tx)
  })
  await sql`update clients set status = 4, closed_at = now() where id = ${mihai.id}`.execute(db)
  await end('lei')
  const { rows } = await sql<{ codes: string[] }>`
    select array(select c.code from currencies_offered() o join currencies c on c.id = o) as codes`.execute(
    db,
  )
  expect(rows[0]?.codes).toEqual(['USD'])
})

test('a member of staff who was a client keeps the currency of what is left on the balance, or runs', async () => {
  const end = () => sql`update price_lists set is_default = false where currency = 'USD'`.execute(db)
  const kept = async () => {
    await expect(end()).rejects.toMatchObject({ constraint: 'currency_in_use', detail: 'USD' })
    expect((await withEveryCurrency(db)).world.currencies).toContain('USD')
  }
  const was = await makeAccount(pool, { projects: 1, panels: 1, opening: null })
  const { client } = await makeMember(pool, 'billing')
  await sql`update clients set auth_id = null where id = ${client}`.execute(db)
  await sql`update clients set auth_id = (select auth_id from admins where role = 'billing') where id = ${was.id}`.execute(
    db,
  )
  await kept()
  await sql`update panels set deleted_at = now() where client_id = ${was.id}`.execute(db)
  await bringOver(db, was.id, { balance: '7', credit: '0', on: '2026-01-01' })
  await kept()
  const source = { type: 'staff_action', id: 1 }
  await db
    .transaction()
    .execute((tx) =>
      byStaff(tx, () =>
        adjustBalance(tx, { key: 'gone', clientId: was.id, currency: 'USD', amount: '-7', source }),
      ),
    )
  expect((await withEveryCurrency(db)).world.currencies).not.toContain('USD')
})

test('the account of a member of staff, who buys nothing, keeps no currency', async () => {
  const { client } = await makeMember(pool, 'admin')
  await sql`update clients set currency_id = (select id from currencies where code = 'USD') where id = ${client}`.execute(
    db,
  )
  await sql`update price_lists set is_default = false where currency = 'USD'`.execute(db)
  const { world, file } = await withEveryCurrency(db)
  expect(world.currencies).not.toContain('USD')
  expect(file.price_lists.filter((list) => list.default && list.currency === 'USD')).toEqual([])
})

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { businessTime } from '#test/support/money.ts'
import { makeUsage } from '#test/support/usage.ts'
import { usageFaults } from '#test/support/usage-invariants.ts'
import { rateUsage } from './charging.ts'
import { noteIn } from './note-sentences.ts'
import { isPriceList, markForRerating, previewRerating } from './rerate.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const days = ['2026-03-08', '2026-03-09', '2026-03-10']
const all = { from: '2026-03-08', to: '2026-03-10' }
let ana: Account
let list = ''

/** Three days of two servers, of which two are charged; then an hour of a processor costs 0.01 instead of 0.0029. */
beforeEach(async () => {
  await businessTime(pool, '2026-03-11T12:00:00Z')
  ana = await makeAccount(pool, { projects: 1, panels: 1 })
  await makeUsage(pool, { client: ana.id, panels: ana.panels, days, charged: days.slice(0, 2) })
  list = `own-${ana.id}`
  await sql`with l as (insert into price_lists (code, currency) values (${list}, 'USD') returning id),
    p as (insert into prices (price_list_id, meter_id, valid, unit_price)
      select l.id, m.id, '[2026-01-01,)', 0.01 from l, meters m where m.code = 'cpu_hours')
    insert into client_price_lists select ${ana.id}, id, '[2026-03-09,)' from l`.execute(db)
})

const charged = async () => {
  const { rows } = await sql<{ amount: string }>`select sum(amount) as amount from usage_charges
    where client_id = ${ana.id}`.execute(db)
  return rows[0]?.amount
}
const notes = async () =>
  (
    await sql<{ note: string }>`select ${noteIn('ro')} as note from usage_notes
      where client_id = ${ana.id} and kind = 'price_change' order by id`.execute(db)
  ).rows.map(({ note }) => note)

test('a preview lists the changes and changes nothing', async () => {
  const changes = [{ client_id: ana.id, currency: 'USD', sums: 4, was: '1.171600', becomes: '4.040000' }]
  expect(await previewRerating(db, all)).toEqual(expect.arrayContaining(changes))
  expect(await previewRerating(db, { ...all, list })).toEqual(changes)
  expect(await previewRerating(db, { ...all, list, to: '2026-03-08' })).toEqual([])
  expect(await rateUsage(db)).toMatchObject({ rated: 0 })
})

test('a list limits it to what its prices count for, or counted for', async () => {
  await sql`insert into price_lists (code, currency) values (${`${list}-other`}, 'USD')`.execute(db)
  expect(await previewRerating(db, { ...all, list: `${list}-other` })).toEqual([])
  const standard = await previewRerating(db, { ...all, list: 'standard' })
  expect(standard.map(({ client_id }) => client_id)).toContain(ana.id)
  expect([await isPriceList(db, list), await isPriceList(db, 'none')]).toEqual([true, false])
})

test('re-rating adds a note and posts the difference, and a second run changes nothing', async () => {
  const before = await charged()
  const asked = { ...all, list }
  expect(await markForRerating(db, asked)).toBe(4)
  await rateUsage(db)
  const other = /^Se aplică alt preț pentru \w+: \d+\.\d+ în loc de \d+\.\d+ USD\.$/
  expect(await notes()).toEqual(Array(4).fill(expect.stringMatching(other)))
  await sql`select charge_client_day(${ana.id}, day) from unnest(${days}::date[]) day`.execute(db)
  const { rows } = await sql<{
    more: string
  }>`select (${await charged()}::numeric - ${before}::numeric)::text as more`.execute(db)
  // Two servers on the ninth cost 2.02 instead of 0.5858, and the tenth is charged whole.
  expect(rows[0]?.more).toBe('3.474400')
  expect([await previewRerating(db, asked), await markForRerating(db, asked)]).toEqual([[], 0])
  // Clears the queue of the previous tests.
  await markForRerating(db, all)
  await rateUsage(db)
  expect((await usageFaults(db)).filter((fault) => !fault.includes('sum of its events'))).toEqual([])
})

// Measures a day of plan fees: the hours of 10 000 panels are counted and rated, 2 500 clients in three currencies.
import { sql } from 'kysely'
import { Pool } from '../api/src/platform/db/pool.ts'
import { rateUsage } from '../api/src/usage/charging.ts'
import { feedPlans } from '../api/src/usage/plan-feed.ts'
import { at, makePlans } from '../api/test/support/plans.ts'
import { benchDatabase } from './support/database.ts'

const clients = Number(process.env.CLIENTS ?? 2500)
const perClient = 4
const days = Number(process.env.DAYS ?? 5)
const secondsAtMost = 10

const database = await benchDatabase()
const pool = new Pool(database.connection, 2, () => undefined)
const db = pool.kysely

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

await makePlans(db, { small: '8.00', large: '24.00' })
// The other currencies have the prices of the standard list.
await sql`with made as (
    insert into price_lists (code, currency, is_default) values ('euro', 'EUR', true), ('leu', 'RON', true) returning id
  )
  insert into plan_prices (price_list_id, plan_id, valid, monthly)
  select made.id, p.plan_id, p.valid, p.monthly from made, plan_prices p`.execute(db)
await sql`insert into clients (email, first_name, last_name, language_id, currency_id, status, email_verified_at)
  select 'fee' || n || '@bench.test', 'Fee', 'Payer', 1, c.id, 1, now()
  from generate_series(1, ${clients}::int) n
  join currencies c on c.code = (array['USD', 'EUR', 'RON'])[1 + n % 3]`.execute(db)
await sql`insert into projects (client_id, name) select id, 'Workspace' from clients`.execute(db)
// All in one statement: it takes longer than a request may.
await at(db, '2099-03-01T00:00:00Z', async (tx) => {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`insert into panels (client_id, project_id, name, status, plan_id)
    select j.client_id, j.id, 'Panel ' || n, 'active', (select id from plans where code = (array['small', 'large'])[1 + n % 2])
    from projects j, generate_series(1, ${perClient}::int) n`.execute(tx)
})

const panels = clients * perClient
const taken: { fed: number; rated: number }[] = []
for (let day = 1; day <= days; day++) {
  await at(db, `2099-03-${String(day).padStart(2, '0')}T23:59:59Z`, async () => undefined)
  const fed = await timed(() => feedPlans(db))
  const rated = await timed(() => rateUsage(db))
  taken.push({ fed, rated })
  console.log(`day ${day}: ${panels} panels counted in ${fed.toFixed(2)} s, rated in ${rated.toFixed(2)} s`)
}
// 8.00 and 24.00 a month of 31 days, half of the panels each.
const { rows } = await sql<{
  amount: number
}>`select sum(rated_amount)::float8 as amount from usages`.execute(db)
const expected = (panels / 2) * ((8 + 24) / 31) * days
const sum = rows[0]?.amount ?? 0
const isRight = Math.abs(sum - expected) < panels * days * 1e-6
console.log(`rated ${sum.toFixed(2)} in all, ${expected.toFixed(2)} expected`)
await pool.close()
await database.stop()
const slowest = Math.max(...taken.map(({ rated }) => rated))
console.log(`slowest rating of a day ${slowest.toFixed(2)} s, at most ${secondsAtMost}`)
process.exit(isRight && slowest <= secondsAtMost ? 0 : 1)

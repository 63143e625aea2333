import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { issueInvoice } from '#money/invoices/invoices.ts'
import { Pool } from '#platform/db/pool.ts'
import { makeAccount } from './support/account.ts'
import { testDatabase } from './support/database.ts'
import { makeBuyer, makeOperator } from './support/documents.ts'
import { runSeed } from './support/sweep.ts'
import { seeded } from './support/usage-workload.ts'

// Eight people issue invoices at once, while their connections are killed at any moment.

const writers = 8
const each = 12
const mostKills = 20

test('numbers have no gap and no double, and days never go back, whoever is killed while issuing', async () => {
  const { pool, connection } = await testDatabase()
  await makeOperator(pool)
  const random = seeded(runSeed)
  const clients = await Promise.all(
    Array.from({ length: writers }, async () => {
      const client = await makeAccount(pool, { opening: null })
      await makeBuyer(pool, client)
      return client.id
    }),
  )
  const known: string[] = []
  let killed = 0
  let writing = writers
  const write = async (clientId: number) => {
    // A killed connection is an error of its pool, which only its own writer sees.
    const own = new Pool(connection, 1, () => undefined)
    for (let done = 0; done < each; ) {
      const issued = await own.kysely
        .transaction()
        .execute((tx) => issueInvoice(tx, { clientId, sum: { gross: '12.10' } }))
        .catch(() => undefined)
      if (issued === undefined) continue
      known.push(issued.fullNumber)
      done += 1
    }
    await own.close()
    writing -= 1
  }
  const kill = async () => {
    while (writing > 0 && killed < mostKills) {
      await sleep(10 + random() * 50)
      const { rows } = await sql<{ ended: boolean }>`select pg_terminate_backend(pid) as ended from (
        select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and state <> 'idle' and xact_start is not null order by random() limit 1) a`.execute(pool.kysely)
      killed += rows.length
    }
  }
  await Promise.all([...clients.map(write), kill()])
  const { rows } = await sql<{ numbers: number; first: number; last: number; back: number }>`
    select count(*)::int as numbers, min(number)::int as first, max(number)::int as last,
      (select count(*) from (select issue_date < lag(issue_date) over (order by number) as back from invoices
        where kind = 'fiscal') d where back)::int as back
    from invoices where kind = 'fiscal' and issued_at is not null`.execute(pool.kysely)
  const [found] = rows
  expect(killed).toBeGreaterThan(3)
  expect(new Set(known).size).toBe(writers * each)
  expect(found).toMatchObject({ first: 1, last: found?.numbers, back: 0 })
  expect(found?.numbers).toBeGreaterThanOrEqual(writers * each)
}, 120_000)

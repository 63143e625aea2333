import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Database } from '#platform/db/pool.ts'
import { testDatabase } from '#test/support/database.ts'
import { mayCall, pruneCalls } from './limits.ts'

const { pool } = await testDatabase()
const db = pool.kysely

beforeEach(async () => {
  await sql`delete from tax_office_calls`.execute(db)
})

/** What is asked in one transaction is asked at one moment, so that no minute or day ends meanwhile. */
const atOnce = <T>(asked: (tx: Database) => Promise<T>) => db.transaction().execute(asked)

/** Sets the count of what was called already, this minute or today. */
const called = (tx: Database, kind: string, calls: number) =>
  sql`update tax_office_calls set calls = ${calls} where kind = ${kind}`.execute(tx)

test.each([
  ['state', 'one', 100],
  ['download', 'one', 10],
  ['list', '', 100_000],
] as const)('of calls of the kind %s about %j the office gets %i a day', async (kind, about, most) => {
  await atOnce(async (tx) => {
    expect(await mayCall(tx, kind, about)).toBe(true)
    await called(tx, kind, most - 1)
    expect(await mayCall(tx, kind, about)).toBe(true)
    expect(await mayCall(tx, kind, about)).toBe(false)
    const { rows } = await sql`select kind, about, calls from tax_office_calls order by kind desc`.execute(tx)
    // A call that is not made counts for nothing.
    expect(rows).toEqual(
      expect.arrayContaining([
        { kind, about, calls: most },
        { kind: 'all', about: '', calls: 2 },
      ]),
    )
    await sql`update tax_office_calls set since = since - interval '1 day'`.execute(tx)
    expect(await mayCall(tx, kind, about)).toBe(true)
  })
})

test.each(['state', 'download'] as const)('a %s of another message has its own count', async (kind) => {
  await atOnce(async (tx) => {
    await mayCall(tx, kind, 'one')
    await called(tx, kind, 100)
    expect([await mayCall(tx, kind, 'one'), await mayCall(tx, kind, 'another')]).toEqual([false, true])
  })
})

test.each(['upload', 'token', 'state', 'download', 'list'] as const)(
  'a %s is one of five hundred calls of any kind a minute',
  async (kind) => {
    await atOnce(async (tx) => {
      await mayCall(tx, 'token')
      await called(tx, 'all', 499)
      expect([await mayCall(tx, kind, 'one'), await mayCall(tx, kind, 'one')]).toEqual([true, false])
      expect(await mayCall(tx, 'upload')).toBe(false)
      await sql`update tax_office_calls set since = since - interval '1 minute' where kind = 'all'`.execute(
        tx,
      )
      expect(await mayCall(tx, kind, 'one')).toBe(true)
    })
  },
)

test('twenty who ask at once get what is allowed, and no more', async () => {
  const asked = await Promise.all(Array.from({ length: 20 }, () => mayCall(db, 'download', 'one')))
  expect(asked.filter(Boolean)).toHaveLength(10)
})

test('the counts of past days are removed, and those of today stay', async () => {
  await mayCall(db, 'list')
  await sql`insert into tax_office_calls (kind, about, since, calls)
    values ('list', '', now() - interval '3 days', 7)`.execute(db)
  await pruneCalls(db)
  const { rows } = await sql`select calls from tax_office_calls where kind = 'list'`.execute(db)
  expect(rows).toEqual([{ calls: 1 }])
})

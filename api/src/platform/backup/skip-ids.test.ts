import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#test/support/database.ts'
import { person } from '#test/support/people.ts'
import { addPanel } from '#workspaces/panels.ts'
import { skipIds } from './skip-ids.ts'

const { pool } = await testDatabase()
const db = pool.kysely

/** The next id of each sequence of the portal; those that have given none yet are among them. */
async function nextIds() {
  const { rows } = await sql<{ name: string; next: string; short: boolean }>`
    select sequencename as name, coalesce(last_value + 1, start_value) as next, max_value < 2147483647 as short
    from pg_sequences where schemaname = 'public'`.execute(db)
  return new Map(rows.map(({ name, next, short }) => [name, { next: Number(next), short }]))
}

async function newPanel(owner: { id: number }): Promise<number> {
  const { id: project_id } = await db
    .selectFrom('projects')
    .select('id')
    .where('client_id', '=', owner.id)
    .executeTakeFirstOrThrow()
  const panel = { client_id: owner.id, project_id, name: `web ${crypto.randomUUID()}`, plan_code: null }
  return (await db.transaction().execute((tx) => addPanel(tx, panel))).id
}

test('after a take-over no id follows that the original may have given', async () => {
  const ana = await person(pool, 'ana@example.com')
  const last = await newPanel(ana)
  const before = await nextIds()
  await skipIds(db)
  const after = await nextIds()
  for (const [name, { next, short }] of before)
    if (!short) expect(after.get(name)?.next, name).toBeGreaterThanOrEqual(next + 1_000_000)
  expect(
    [...before.values()].some(({ next }) => next === 1),
    'some have given none yet',
  ).toBe(true)
  expect(await newPanel(ana)).toBe(last + 1_000_001)
  const bob = await person(pool, 'bob@example.com')
  expect(bob.id).toBeGreaterThan(ana.id + 1_000_000)
})

test('a take-over may be repeated', async () => {
  const before = await nextIds()
  await skipIds(db)
  await skipIds(db)
  expect((await nextIds()).get('panels_id_seq')?.next).toBe(
    (before.get('panels_id_seq')?.next ?? 0) + 2_000_000,
  )
})

import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'
import { Pool } from '#platform/db/pool.ts'
import { commandIn } from './support/command.ts'
import { person } from './support/people.ts'
import { temporaryFolder } from './support/temporary.ts'

const place = temporaryFolder('staff')
// As a portal that runs keeps it; the commands find it by its folder.
const portal = await startEmbedded({ dataDir: place.folder, durable: false })
await migrate(portal.connection)
const pool = new Pool(portal.connection, 1, () => undefined)
await person(pool, 'sorin@example.com')

afterAll(async () => {
  await pool.close()
  await portal.stop()
  place.remove()
})

const command = commandIn(place.folder, 'api/src/commands/staff.ts')

test('a staff member is added and disabled by commands while the portal runs, and both are logged', async () => {
  const added = command('add', 'Sorin@Example.com', 'support', 'Sorin of Acme')
  expect(added).toMatchObject({ status: 0, said: expect.stringContaining('second factor') })
  expect(command('list').said).toContain(
    'sorin@example.com  Sorin of Acme: support, no rights before a second factor',
  )
  expect(command('disable', 'sorin@example.com').status).toBe(0)
  expect(command('list').said).toContain('sorin@example.com  Sorin of Acme: support, disabled')
  const { rows } = await sql`select origin, reason, admin_id, array(select op from staff_action_changes c
    where c.action_id = a.id and table_name = 'admins') as ops from staff_actions a order by id`.execute(
    pool.kysely,
  )
  expect(rows).toEqual([
    { origin: 'cli', reason: 'npm run staff:add', admin_id: null, ops: ['insert'] },
    { origin: 'cli', reason: 'npm run staff:disable', admin_id: null, ops: ['update'] },
  ])
}, 60_000)

test('the log of staff of a day is printed as the portal told it, and a day that is none is refused', () => {
  const digest = commandIn(place.folder, 'api/src/commands/staff-digest.ts')
  const { status, said } = digest('2026-11-25', '2026-11-26')
  const days = said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect([status, days]).toMatchObject([
    0,
    [
      { day: '2026-11-25', actions: 0 },
      { day: '2026-11-26', changes: 0 },
    ],
  ])
  for (const args of [[], ['2026-02-30'], ['2026-11-25', 'today']])
    expect(digest(...args)).toMatchObject({
      status: 1,
      said: expect.stringContaining('npm run staff:digest'),
    })
}, 60_000)

test.each([
  [['add', 'nobody@example.com', 'support'], 'nobody@example.com does not have an account'],
  [['add', 'sorin@example.com', 'owner'], 'npm run staff:add'],
  [['disable', 'nobody@example.com'], 'no staff member'],
])(
  '%j is refused with a sentence',
  (args, words) => {
    const { status, said } = command(...args)
    expect([status, said.includes(words), said.includes('    at ')]).toEqual([1, true, false])
  },
  60_000,
)

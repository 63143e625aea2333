import { sql } from 'kysely'
import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { startJobs } from '#start/jobs.ts'
import { makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { only, TestEngine } from '#test/support/engine.ts'
import { testPostOffice } from '#test/support/mail.ts'
import { makeMember } from '#test/support/staff.ts'
import { type LogDay, logDays } from './log-digest.ts'

const { pool, connection } = await testDatabase()
const db = pool.kysely
const { admin } = await makeMember(pool, 'admin')
const ana = await makeAccount(pool, { projects: 0, panels: 0 })

/** An action that changed one row. */
async function acted(at: string, reason: string): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into staff_actions (at, admin_id, verb, type, client_id, reason, request_id)
    values (${at}, ${admin}, 'flag', 'desk-clients', ${ana.id}, ${reason}, 'test') returning id`.execute(db)
  const id = rows[0]?.id ?? 0
  await sql`insert into staff_action_changes (action_id, table_name, row_id, op, after)
    values (${id}, 'clients', ${String(ana.id)}, 'update', '{"first_name": "Ana"}')`.execute(db)
  return id
}

/** As somebody does who owns the database. */
const forged = (change: ReturnType<typeof sql>) =>
  db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await change.execute(tx)
  })

async function daysOf(from: string, to: string, on = db): Promise<LogDay[]> {
  const days: LogDay[] = []
  for await (const day of logDays(on, from, to)) days.push(day)
  return days
}
const dayOf = async (day: string) => (await daysOf(day, day))[0]

test('a day has a digest of its actions and of what they changed, which differs once either was forged', async () => {
  const last = await acted('2026-03-10T23:59:59.999Z', 'Spoke to her')
  await acted('2026-03-11T00:00:00Z', 'Spoke to her again')
  const [before, day, after] = await daysOf('2026-03-09', '2026-03-11')
  expect(before).toMatchObject({ day: '2026-03-09', actions: 0, changes: 0 })
  expect(day).toMatchObject({ day: '2026-03-10', actions: 1, changes: 1 })
  expect(after).toMatchObject({ day: '2026-03-11', actions: 1, changes: 1 })
  expect(new Set([before, day, after].map((one) => one?.actions_sha256)).size).toBe(3)
  await sql`set time zone 'Europe/Bucharest'`.execute(db)
  expect(await dayOf('2026-03-10')).toEqual(day)

  await forged(sql`update staff_action_changes set after = null where action_id = ${last}`)
  const erased = await dayOf('2026-03-10')
  expect(erased).toEqual({ ...day, changes_sha256: expect.not.stringMatching(String(day?.changes_sha256)) })
  await forged(sql`update staff_actions set reason = 'Spoke to him' where id = ${last}`)
  expect((await dayOf('2026-03-10'))?.actions_sha256).not.toBe(day?.actions_sha256)
  await forged(sql`delete from staff_action_changes where action_id = ${last}`)
  await forged(sql`delete from staff_actions where id = ${last}`)
  expect(await dayOf('2026-03-10')).toMatchObject({ actions: 0, actions_sha256: before?.actions_sha256 })
  expect(await dayOf('2026-03-11')).toEqual(after)
})

test('who wrote without being staff is a part of the digest', async () => {
  const { rows } = await sql<{
    id: number
  }>`insert into staff_actions (at, origin, caller, verb, type, reason, request_id)
    values ('2026-03-20T10:00:00Z', 'sql', 'portico, psql', 'write', 'database', 'unexplained', 'test') returning id`.execute(
    db,
  )
  const day = await dayOf('2026-03-20')
  for (const change of [sql`origin = 'cli'`, sql`caller = 'somebody'`]) {
    await forged(sql`update staff_actions set ${change} where id = ${rows[0]?.id}`)
    expect((await dayOf('2026-03-20'))?.actions_sha256).not.toBe(day?.actions_sha256)
    await forged(
      sql`update staff_actions set origin = 'sql', caller = 'portico, psql' where id = ${rows[0]?.id}`,
    )
    expect(await dayOf('2026-03-20')).toEqual(day)
  }
})

test('a day that a member of staff filled with changes has its digest too, for which the limit of requests is too short', async () => {
  const id = await acted('2026-03-08T12:00:00Z', 'Changed much')
  await sql`insert into staff_action_changes (action_id, table_name, row_id, op, after)
    select ${id}, 'invoice_drafts', n::text, 'update', '{"lines": []}' from generate_series(1, 20000) n`.execute(
    db,
  )
  const day = await db.connection().execute(async (one) => {
    await sql`set statement_timeout = '2ms'`.execute(one)
    try {
      return await daysOf('2026-03-08', '2026-03-08', one)
    } finally {
      await sql`set statement_timeout = '5s'`.execute(one)
    }
  })
  expect(day).toMatchObject([{ day: '2026-03-08', actions: 1, changes: 20_001 }])
})

test('each night the log of the process has the last seven days, and not the present one', async () => {
  const now = new Date('2026-03-12T01:33:00Z')
  const lines: string[] = []
  const runner = await startJobs({
    ...testPostOffice(pool),
    connection,
    clock: { now: () => now },
    engines: only(new TestEngine()),
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
  })
  try {
    await sql`select graphile_worker.add_job('staff.digest')`.execute(db)
    const told = () => lines.map((line) => JSON.parse(line)).filter(({ task }) => task === 'staff.digest')
    await vi.waitFor(() => expect(told()).toHaveLength(7), { timeout: 12_000 })
    const days = await daysOf('2026-03-05', '2026-03-11')
    expect(told()).toMatchObject(days)
    expect(days.at(-1)).toMatchObject({ day: '2026-03-11', actions: 1 })
  } finally {
    await runner.stop()
  }
})

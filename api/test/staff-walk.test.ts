import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { makeGuests, makeWorld, models, probesOf } from './support/matrix.ts'
import { testPortal } from './support/portal.ts'
import { differences, notedSince, notedTables, rowsOf } from './support/table-diff.ts'
import { makeAdmin } from './support/ticket.ts'

// An administrator does everything that the matrix asks for and staff are granted; the log must say what differs.

const portal = await testPortal()
const db = portal.pool.kysely
const guests = await makeGuests(portal, ['all'])
const tables = await notedTables(db)
let walked = 0

type Action = { readonly id: number; readonly xid: string; readonly request_id: string }

const actionsSince = async (id: number) => {
  const { rows } = await sql<Action>`select id, xid::text, request_id from staff_actions
    where id > ${id} order by id`.execute(db)
  return rows
}
const lastAction = async () => {
  const { rows } = await sql<{
    id: number
  }>`select coalesce(max(id), 0)::int8 as id from staff_actions`.execute(db)
  return rows[0]?.id ?? 0
}

afterAll(() => {
  console.info(`Staff were granted ${walked} writes; each was in the log as it was.`)
})

describe.each(models)('$name', (model) => {
  const writes = probesOf(model).filter((probe) => probe.writes)
  test.runIf(writes.length > 0)('each write of staff is one action, with the rows that differ', async () => {
    for (const probe of writes) {
      const world = await makeWorld(portal, guests)
      const staff = portal.staff(await makeAdmin(portal.pool, 'admin'))
      const [last, before] = [await lastAction(), await rowsOf(db, tables)]
      const [answer] = await probe.ask(staff, world)
      const [actions, after] = [await actionsSince(last), await rowsOf(db, tables)]
      const name = `${model.name} ${probe.name}`
      const differs = differences(before, after)
      if (answer === undefined || answer.status >= 300) {
        expect([name, actions, [...differs.keys()]]).toEqual([name, [], []])
        continue
      }
      walked += 1
      expect([name, new Set(actions.map(({ request_id }) => request_id)).size]).toEqual([name, 1])
      expect([name, new Set(actions.map(({ xid }) => xid)).size]).toEqual([name, actions.length])
      expect({ name, noted: await notedSince(db, last) }).toEqual({ name, noted: differs })
    }
    expect(portal.bugs).toEqual([])
  })
})

test('staff were granted most of the writes that there are', () => {
  expect(walked).toBeGreaterThan(60)
})

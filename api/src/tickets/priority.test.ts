import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { dueAfterChange } from './service-levels.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const support = portal.staff(await makeAdmin(portal.pool))
const readonly = portal.staff(await makeAdmin(portal.pool, 'readonly'))
const billing = portal.staff(await makeAdmin(portal.pool, 'billing'))
const ana = portal.as(await makeAccount(portal.pool, { projects: 0, panels: 0 }))

async function open(): Promise<string> {
  const { rows } = await sql<{
    id: number
  }>`select id from ticket_departments where code = 'technical'`.execute(db)
  const opened = await ana.post(`${base}/tickets`, {
    data: {
      type: 'tickets',
      attributes: { subject: 'Down', description: 'All of it' },
      relationships: { ticketDepartment: { data: { type: 'ticket-departments', id: String(rows[0]?.id) } } },
    },
  })
  return String(opened.one.id)
}

const set = (visitor: typeof ana, ticket: string, priority: number) =>
  visitor.post(`${base}/tickets/${ticket}/-actions/setPriority`, { data: { priority } })

const hours = (from: unknown, to: unknown) =>
  Math.round((Date.parse(String(to)) - Date.parse(String(from))) / 360_000) / 10

/** Until its first answer and its end, in hours from when it was opened. */
async function aims(ticket: string): Promise<[number, number]> {
  const { createdAt, first_response_due, resolve_due } =
    (await support.get(`${base}/tickets/${ticket}`)).one.attributes ?? {}
  return [hours(createdAt, first_response_due), hours(createdAt, resolve_due)]
}

test('staff says how urgent a ticket is, and its times follow', async () => {
  const ticket = await open()
  expect(await aims(ticket)).toEqual([4, 24])
  expect((await set(support, ticket, 4)).json).toEqual({ priority: 4 })
  expect(await aims(ticket)).toEqual([1, 6])
  expect((await set(support, ticket, 1)).status).toBe(200)
  expect(await aims(ticket)).toEqual([8, 48])
  expect((await set(support, ticket, 2)).status).toBe(200)
  expect(await aims(ticket)).toEqual([4, 24])
  expect((await support.get(`${base}/tickets/${ticket}`)).one.attributes?.priority).toBe(2)
})

test('clients do not, nor staff who only read or do not see it, nor of a closed ticket', async () => {
  const ticket = await open()
  expect([(await set(ana, ticket, 4)).status, (await set(readonly, ticket, 4)).status]).toEqual([403, 403])
  expect((await set(billing, ticket, 4)).status).toBe(404)
  expect([(await set(support, ticket, 0)).status, (await set(support, ticket, 5)).status]).toEqual([422, 422])
  await ana.post(`${base}/tickets/${ticket}/-actions/close`, { data: {} })
  expect((await set(support, ticket, 4)).status).toBe(409)
})

test('a change of priority keeps the used time, and a past due time is not moved', () => {
  const at = new Date('2026-03-04T12:00:00Z')
  const after = (due: string, more: number, officeHours = false) =>
    dueAfterChange(new Date(due), at, { more, officeHours }).toISOString()
  // An hour is left of four: with one in all it would have been over before.
  expect(after('2026-03-04T13:00:00Z', -180)).toBe(at.toISOString())
  expect(after('2026-03-04T16:00:00Z', -180)).toBe('2026-03-04T13:00:00.000Z')
  expect(after('2026-03-04T11:00:00Z', -30)).toBe('2026-03-04T11:00:00.000Z')
  expect(after('2026-03-04T11:00:00Z', 120)).toBe('2026-03-04T13:00:00.000Z')
  // Three hours of the office, which closes at 15:00 UTC, and one of the next morning.
  expect(after('2026-03-04T14:00:00Z', 120, true)).toBe('2026-03-05T08:00:00.000Z')
})

import path from 'node:path'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Model } from '#platform/jsonapi/declare/model.ts'
import { makeAccount } from './support/account.ts'
import { makeGuests, makeWorld, models, type Probe, probesOf } from './support/matrix.ts'
import { readTable } from './support/matrix-table.ts'
import { testPortal, type Visitor } from './support/portal.ts'
import { makeAdmin, makeTicket } from './support/ticket.ts'

// Compares what the server answers to every verb of every type with `desk-matrix.md`, for each role of staff.

const roles = ['support', 'billing', 'admin', 'readonly'] as const
type Role = (typeof roles)[number]

const portal = await testPortal()
const guests = await makeGuests(portal, ['all'])
const table = readTable(path.join(import.meta.dirname, 'desk-matrix.md'))
const world = await makeWorld(portal, guests)
let checked = 0
// Staff of billing read the tickets of their department, and not this owner's.
const { id: asker } = await makeAccount(portal.pool, { projects: 1, panels: 0 })
await makeTicket(portal.pool, { client: asker, department: 'billing' })

/** What is done before a verb that needs it, which is undone as well. */
const before: Readonly<Record<string, () => Promise<unknown>>> = {
  'desk-departments reopen()': () =>
    sql`update ticket_departments set closed_at = now() where id = 1`.execute(portal.pool.kysely),
}

const limits = await sql<{ role: Role; verb: string; most: string }>`select role, verb,
  trim_scale(per_action) || ' of ' || trim_scale(per_day) as most from staff_limits`.execute(
  portal.pool.kysely,
)

/** The limits that a verb with money has besides the role. */
const limited = (model: Model, { name }: Probe) =>
  ['desk-clients', 'invoices', 'transactions'].includes(model.name)
    ? limits.rows.filter(({ verb }) => name === `${verb}()`)
    : []

const cellOf = (probe: Probe, answer: Parameters<Probe['cell']>[0]): string => {
  const cell = probe.cell(answer)
  if (!cell.startsWith('holds')) return cell
  return cell === 'holds 0' ? 'none' : 'rows'
}

/** Lists are of all accounts, but where one must be named. */
async function ask({ name, path }: Model, probe: Probe, visitor: Visitor) {
  const whole = probe.name === 'list' ? await visitor.get(path) : undefined
  if (whole?.status === 200) return [whole]
  if (!probe.writes) return probe.ask(visitor, world)
  return portal.undone(async () => {
    await before[`${name} ${probe.name}`]?.()
    return probe.ask(visitor, world)
  })
}

/** Asks as each role. What one has changed is undone before the next asks. */
async function row(model: Model, probe: Probe): Promise<string[]> {
  const cells: string[] = []
  const asks = new Set<string>()
  for (const role of roles) {
    const admin = await makeAdmin(portal.pool, role)
    // Support reads the money of clients whose page they opened.
    await portal.staff(admin).get(`${base}/desk-clients/${world.owner.id}`)
    let answers = await ask(model, probe, portal.staff(admin, 'an hour ago'))
    if (answers[0]?.status === 403 && answers[0].faults[0]?.includes('recent_sign_in_required')) {
      asks.add('a recent sign-in')
      answers = await ask(model, probe, portal.staff(admin))
    }
    const most = limited(model, probe).find((one) => one.role === role)
    cells.push(
      [...new Set(answers.map((one) => cellOf(probe, one)))].join(' and ') + (most ? `, ${most.most}` : ''),
    )
    checked += answers.length
  }
  if (limited(model, probe).length > 0) asks.add('its limit')
  return [...cells, [...asks].join(', ')]
}

const closed = (cells: readonly string[]) => cells.every((cell) => ['none', '403', '404', ''].includes(cell))

describe.each(models)('$name', (model) => {
  test('each verb answers each role as the table says', async () => {
    const rows: string[] = []
    let isReached = false
    for (const probe of probesOf(model)) {
      const cells = await row(model, probe)
      isReached ||= !closed(cells)
      rows.push(`| ${probe.name} | ${cells.join(' | ')} |`)
    }
    const known = probesOf(model).flatMap(({ name }) => {
      const cells = table.get(`${model.name} ${name}`)
      return cells ? [`| ${name} | ${cells.join(' | ')} |`] : []
    })
    // Printed as the lines of the table, to be pasted there when they are right. Types that no role reaches have none.
    expect(isReached ? rows : [], `the rows of ${model.name} in api/test/desk-matrix.md`).toEqual(known)
  })
})

test('the table has only rows that are probed, and at least 300 cells', () => {
  const rows = models.flatMap((model) => probesOf(model).map((probe) => `${model.name} ${probe.name}`))
  expect([...table.keys()].filter((one) => !rows.includes(one))).toEqual([])
  console.info(`The matrix of the desk: ${table.size} rows, ${checked} cells checked.`)
  expect(table.size * roles.length).toBeGreaterThanOrEqual(300)
  expect(portal.bugs).toEqual([])
})

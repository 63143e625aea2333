import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  changes,
  creations,
  type Kind,
  kinds,
  makeGuests,
  makeWorld,
  models,
  type Probe,
  probesOf,
} from './support/matrix.ts'
import { readTable } from './support/matrix-table.ts'
import { testPortal, type Visitor } from './support/portal.ts'

// Compares what the server answers to every verb of every type with `matrix.md`, for each kind of user.

const portal = await testPortal()
const guests = await makeGuests(portal)
const table = readTable(path.join(import.meta.dirname, 'matrix.md'))
const world = await makeWorld(portal, guests)
let checked = 0

function visitorOf(kind: Kind): Visitor {
  if (kind === 'anonymous') return portal.nobody
  if (kind === 'key' || kind === 'key one') return portal.key(world.keys[kind])
  return portal.as(kind === 'owner' ? world.owner : guests[kind])
}

/** Asks as everyone of a kind. What one has changed is undone before the next asks. */
async function row(probe: Probe): Promise<string[]> {
  const cells: string[] = []
  for (const kind of kinds) {
    const ask = () => probe.ask(visitorOf(kind), world)
    const answers = await (probe.writes ? portal.undone(ask) : ask())
    cells.push([...new Set(answers.map(probe.cell))].join(' and '))
    checked += answers.length
  }
  return cells
}

describe.each(models)('$name', (model) => {
  test.each(probesOf(model))('$name', async (probe) => {
    const cells = await row(probe)
    const known = table.get(`${model.name} ${probe.name}`)
    // Printed as a line of the table, to be pasted there when it is right.
    expect(`| ${probe.name} | ${cells.join(' | ')} |`, `the row of ${model.name} in api/test/matrix.md`).toBe(
      `| ${probe.name} | ${known?.join(' | ')} |`,
    )
  })
})

test('a creation and a change are declared for every type that offers them', () => {
  const unprobed = models.flatMap(({ name, contract }) => [
    ...(contract.create.length > 0 && !creations[name] ? [`creations of ${name}`] : []),
    ...(contract.update.length > 0 && !changes[name] ? [`changes of ${name}`] : []),
  ])
  expect(unprobed, 'add them in api/test/support/matrix.ts').toEqual([])
})

test('the table has exactly the rows that are probed, and at least 1200 cells', () => {
  const rows = models.flatMap((model) => probesOf(model).map((probe) => `${model.name} ${probe.name}`))
  expect([...table.keys()].sort(), 'the rows of api/test/matrix.md').toEqual(rows.sort())
  console.info(`The matrix: ${rows.length} rows, ${checked} cells checked.`)
  expect(checked).toBeGreaterThanOrEqual(1200)
  expect(portal.bugs).toEqual([])
})

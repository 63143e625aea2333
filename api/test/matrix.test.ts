import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { modelsOf } from '#platform/jsonapi/declare/model.ts'
import { served } from '#start/registry.ts'
import {
  changes,
  creations,
  type Kind,
  kinds,
  makeGuests,
  makeWorld,
  type Probe,
  probesOf,
  readTable,
} from './support/matrix.ts'
import { testPortal, type Visitor } from './support/portal.ts'

// Every type, every verb, everyone who may ask: what the server answers against what `matrix.md` says.

const models = [...modelsOf(Object.values(served)).values()]
const portal = await testPortal()
const guests = await makeGuests(portal)
const table = readTable(path.join(import.meta.dirname, 'matrix.md'))
let world = await makeWorld(portal, guests)
let checked = 0

function visitorOf(kind: Kind): Visitor {
  if (kind === 'anonymous') return portal.nobody
  if (kind === 'key' || kind === 'key one') return portal.key(world.keys[kind])
  return portal.as(kind === 'owner' ? world.owner : guests[kind])
}

/** Asks as everyone of a kind. What was changed by one is not asked about by the next: they get a new owner. */
async function row(probe: Probe): Promise<string[]> {
  const cells: string[] = []
  for (const kind of kinds) {
    const answers = await probe.ask(visitorOf(kind), world)
    cells.push([...new Set(answers.map(probe.cell))].join(' and '))
    checked += answers.length
    if (probe.writes && answers.some((answer) => answer.status < 300)) world = await makeWorld(portal, guests)
  }
  return cells
}

describe.each(models)('$name', (model) => {
  test.each(probesOf(model))('$name', async (probe) => {
    const cells = await row(probe)
    const known = table.get(`${model.name} ${probe.name}`)
    // As a line of the table, to be put there when it is what it should be.
    expect(`| ${probe.name} | ${cells.join(' | ')} |`).toBe(`| ${probe.name} | ${known?.join(' | ')} |`)
  })
})

test('whatever can be created or updated is probed', () => {
  const unprobed = models.flatMap(({ name, contract }) => [
    ...(contract.create.length > 0 && !creations[name] ? [`creations of ${name}`] : []),
    ...(contract.update.length > 0 && !changes[name] ? [`changes of ${name}`] : []),
  ])
  expect(unprobed, 'add them in api/test/support/matrix.ts').toEqual([])
})

test('the table says nothing of what there is not, and enough was asked', () => {
  const rows = models.flatMap((model) => probesOf(model).map((probe) => `${model.name} ${probe.name}`))
  expect([...table.keys()].sort()).toEqual(rows.sort())
  console.info(`The matrix: ${rows.length} rows, ${checked} cells checked.`)
  expect(checked).toBeGreaterThanOrEqual(1200)
  expect(portal.bugs).toEqual([])
})

import { expect, test } from 'vitest'
import { allSpecs, everyRun, specsOf, turns } from './turns.ts'

const none: ReadonlySet<string> = new Set()
const specs = allSpecs()
const names = specs.map(({ name }) => name)
const seeds = Array.from({ length: turns }, (_, at) => 54_540_524 + at)
const runs = seeds.map((seed) => specsOf(specs, seed, none))

test('the specs of every run are there', () => {
  expect([...everyRun].filter((name) => !names.includes(name))).toEqual([])
  for (const run of runs) expect(run).toEqual(expect.arrayContaining([...everyRun]))
})

test('each other spec has its turn with one seed of so many', () => {
  const had = runs.flat().filter((name) => !everyRun.has(name))
  expect(had.toSorted()).toEqual(names.filter((name) => !everyRun.has(name)).toSorted())
})

test('a spec that the commit touches does not wait for its turn', () => {
  const waiting = names.find((name) => !runs[0]?.includes(name)) ?? ''
  expect(waiting).not.toBe('')
  expect(specsOf(specs, seeds[0] ?? 0, new Set([waiting, 'portal.ts']))).toEqual(
    names.filter((name) => name === waiting || runs[0]?.includes(name)),
  )
})

test('the turns of a spec come with every look and with every page of three', () => {
  expect([turns % 2, turns % 3]).not.toContain(0)
})

test('no turn has a fifth more than another', () => {
  const bytes = runs.map((run) =>
    specs.reduce((sum, spec) => sum + (run.includes(spec.name) ? spec.bytes : 0), 0),
  )
  expect(Math.max(...bytes) / Math.min(...bytes)).toBeLessThan(1.2)
})

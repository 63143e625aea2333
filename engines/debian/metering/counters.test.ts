import { expect, onTestFinished, test } from 'vitest'
import { Store } from '../store/store.ts'
import { Counters, growth, type ServerReading } from './counters.ts'

const hour = 3_600_000
const noon = Date.parse('2026-03-01T12:00:00Z')

function counting() {
  const store = new Store(':memory:')
  onTestFinished(() => store.close())
  const counters = new Counters(store, hour)
  const read = (now: number, more: Partial<ServerReading> = {}) => {
    counters.server({ ...server, ...more }, now)
    store.setMark('sampled', now)
  }
  /** The counted quantities, by meter and hour after noon. */
  const sums = () =>
    Object.fromEntries(
      store
        .all('select * from hours order by meter, start')
        .map(({ meter, start, quantity }) => [
          `${meter} ${(Number(start) - noon) / hour}`,
          Math.round(Number(quantity) * 1e6) / 1e6,
        ]),
    )
  return { store, counters, read, sums }
}

const server: ServerReading = {
  ...{ uuid: 'u-1', panel: 7, resource: 'server/web-1', runs: true },
  ...{ started: new Date(noon).toISOString(), createdAt: noon },
  ...{ cpuSeconds: 0, outBytes: 0, memoryBytes: 0, vcpus: 2, memoryMb: 2048, diskMb: 10_240 },
}

test('use is the difference of two readings, cut at the end of the hour', () => {
  const { read, sums } = counting()
  read(noon)
  read(noon + 2 * hour, { cpuSeconds: 3600 })
  expect(sums()).toEqual({
    'cpu_hours 0': 0.5,
    'cpu_hours 1': 0.5,
    'disk_gb_hours 0': 10,
    'disk_gb_hours 1': 10,
    'ram_gb_hours 0': 2,
    'ram_gb_hours 1': 2,
  })
})

test('after a restart the whole counter is new, and memory counts from the start', () => {
  const { read, sums } = counting()
  read(noon, { cpuSeconds: 5000 })
  const started = new Date(noon + hour / 2).toISOString()
  read(noon + hour, { cpuSeconds: 360, started })
  expect(sums()).toEqual({ 'cpu_hours 0': 0.1, 'disk_gb_hours 0': 10, 'ram_gb_hours 0': 1 })
})

test('a stopped server has its disk alone', () => {
  const { read, sums } = counting()
  read(noon)
  read(noon + hour, { runs: false })
  expect(sums()).toEqual({ 'disk_gb_hours 0': 10 })
})

test('what a stop was read at is not counted again by the next reading', () => {
  const { read, sums } = counting()
  read(noon)
  read(noon + hour / 2, { cpuSeconds: 360 })
  read(noon + hour, { cpuSeconds: 0, runs: false })
  expect(sums()['cpu_hours 0']).toBe(0.1)
  read(noon + 2 * hour, { cpuSeconds: 720, started: new Date(noon + 1.5 * hour).toISOString() })
  expect(sums()['cpu_hours 1']).toBe(0.2)
})

test('a reading that is older than the one before counts nothing twice', () => {
  const { read, sums } = counting()
  read(noon)
  read(noon + 1000, { cpuSeconds: 360 })
  read(noon + 2000, { cpuSeconds: 300 })
  read(noon + 3000, { cpuSeconds: 720 })
  expect(sums()['cpu_hours 0']).toBe(0.2)
})

test('a panel of nobody is read and counted for nobody', () => {
  const { read, sums } = counting()
  read(noon, { panel: 0 })
  read(noon + hour / 2, { panel: 0, cpuSeconds: 3600 })
  expect(sums()).toEqual({})
  read(noon + hour, { cpuSeconds: 3960 })
  expect(sums()).toEqual({ 'cpu_hours 0': 0.1, 'disk_gb_hours 0': 5, 'ram_gb_hours 0': 1 })
})

test('a server that was there before the store counts from its first reading', () => {
  const { store, read, sums } = counting()
  store.setMark('sampled', noon)
  read(noon + hour, {
    createdAt: noon - 1000 * hour,
    started: new Date(noon - 900 * hour).toISOString(),
    cpuSeconds: 9e6,
  })
  expect(sums()).toEqual({})
})

test('a new server counts from its creation', () => {
  const { store, read, sums } = counting()
  store.setMark('sampled', noon - 1)
  read(noon + hour, { cpuSeconds: 360 })
  expect(sums()).toEqual({ 'cpu_hours 0': 0.1, 'disk_gb_hours 0': 10, 'ram_gb_hours 0': 2 })
})

test('the traffic of a bridge counts from its second reading, and from none when the bridge is new', () => {
  const { counters, sums } = counting()
  const subject = { uuid: 'p-7:bridge', panel: 7, resource: 'panel' }
  counters.traffic(subject, undefined, noon)
  counters.traffic(subject, 2e9, noon + hour / 2)
  counters.traffic(subject, 5e8, noon + hour)
  expect(sums()).toEqual({ 'traffic_gb 0': 2.5 })
})

test.each([
  ['grows', 30, 10, true, 20],
  ['is new', 30, undefined, true, 30],
  ['belongs to another run', 30, 10, false, 30],
  ['is far smaller than before', 3, 10, true, 3],
  ['is smaller by a hair', 9.99, 10, true, 0],
])('a counter that %s', (_, counter, before, isSame, expected) => {
  expect(growth(counter, before, isSame)).toBe(expected)
})

test('a domain that was deleted and added again does not count for the time between, nor into an hour that is closed', () => {
  const { store, counters, sums } = counting()
  const zone = { uuid: 'zone:shop.example.com', panel: 7, resource: 'domain/shop.example.com' }
  const read = (at: number, isThere: boolean) => {
    if (isThere) counters.being(zone, 'domain_days', at, at)
    store.setMark('sampled', at)
  }
  read(noon, true)
  read(noon + hour, true)
  for (const later of [2, 3, 4]) read(noon + later * hour, false)
  store.run('delete from hours where start < ?', noon + 4 * hour)
  read(noon + 5 * hour, true)
  expect(sums()).toEqual({})
  read(noon + 6 * hour, true)
  expect(sums()).toEqual({ 'domain_days 5': 0.041667 })
})

test('the traffic of a bridge that was gone does not count for the time between, nor into an hour that is closed', () => {
  const { store, counters, sums } = counting()
  const read = (at: number, bytes?: number) => {
    if (bytes !== undefined) counters.traffic({ uuid: 'p-7:bridge', panel: 7, resource: 'panel' }, bytes, at)
    store.setMark('sampled', at)
  }
  read(noon, 0)
  for (const later of [1, 2, 3]) read(noon + later * hour)
  read(noon + 4 * hour, 2e9)
  expect(sums()).toEqual({})
  read(noon + 5 * hour, 3e9)
  expect(sums()).toEqual({ 'traffic_gb 4': 1 })
})

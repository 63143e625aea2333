import { expect, test } from 'vitest'
import { openFake } from '../fake/open.ts'
import { createPanel } from '../panels/making.ts'
import { Counters } from './counters.ts'
import { sampleAll } from './sample.ts'

const owner = { subject: 'client-1', display_name: 'Ana' }
const asked = { panel_id: 7, name: 'Shop', plan: 'small', region: null, domain: null, owner }
const hourMs = 3_600_000

test('the processor of a server is what the kernel counted, not what LXD adds up', async () => {
  const { host, machine } = await openFake()
  await createPanel(host, asked)
  const counters = new Counters(host.store, hourMs)
  // Later than what is read directly because it has just started.
  const begin = Date.now() + 60_000
  for (const [after, seconds] of [
    [0, 100],
    [30_000, 112.5],
  ] as const) {
    machine.cpuSeconds = async (project, server) =>
      `${project}/${server}` === 'portico-7/web-1' ? seconds : 0
    await sampleAll(host, counters, begin + after)
  }
  const [row] = host.store.all("select sum(quantity) as hours from hours where meter = 'cpu_hours'")
  expect(Number(row?.hours) * 3600).toBeCloseTo(12.5, 6)
})

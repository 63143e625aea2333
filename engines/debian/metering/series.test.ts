import { expect, test } from 'vitest'
import { openFake } from '../fake/open.ts'
import { createPanel } from '../panels/making.ts'
import { Counters } from './counters.ts'
import { sampleAll } from './sample.ts'
import { seriesOf } from './series.ts'

test('the last day says what the disk holds, and nothing where it was not read', async () => {
  const { host, lxd, disks } = await openFake()
  const owner = { subject: 'client-1', display_name: 'Ana' }
  await createPanel(host, { panel_id: 7, name: 'Shop', plan: 'small', region: null, domain: null, owner })
  const counters = new Counters(host.store, 3_600_000)
  const hour = 3_600_000
  const now = Date.now()
  const uuid = lxd.servers.get('portico-7/web-1')?.config['volatile.uuid'] ?? ''
  await sampleAll(host, counters, now)
  disks.set('portico-7/web-1', 3 * 1024 ** 3)
  await sampleAll(host, counters, now + hour)
  const last = seriesOf(host.store, [uuid], now + 2 * hour).disk_gb.filter((value) => value !== null)
  expect(last).toEqual([3])
})

import { expect, test } from 'vitest'
import { mend } from '../mending/mend.ts'
import { createPanel } from '../panels/making.ts'
import { findPanel, setWords } from '../panels/truth.ts'
import { openFake } from './open.ts'

// Two processes on one LXD: another engine, or the same one twice, as during its restart.

const owner = { subject: 'client-1', display_name: 'Ana' }
const asked = { panel_id: 7, name: 'Shop', plan: 'large', region: null, domain: null, owner }
const id = 'portico-7'
const again = { code: 'debian', store: ':memory:' }
const second = { code: 'second', prefix: 'second-', bridges: 'sc' }

test('of two processes that change what is known of a panel at once, neither undoes what the other did', async () => {
  const fake = await openFake()
  const twin = fake.beside(again)
  await createPanel(fake.host, asked)
  for (let round = 1; round <= 5; round++) {
    const words = { name: `Shop ${round}` }
    const deletion = { reason: `reason ${round}` }
    await Promise.all([setWords(fake.host, id, words), setWords(twin, id, deletion)])
    expect(fake.lxd.projects.get(id)?.config).toMatchObject({
      'user.portico.name': words.name,
      'user.portico.reason': deletion.reason,
    })
  }
})

test('what an operator sets by hand between reading and writing is kept', async () => {
  const { host, lxd } = await openFake()
  await createPanel(host, asked)
  let turns = 0
  await setWords(host, id, () => {
    turns += 1
    if (turns === 1) Object.assign(lxd.projects.get(id)?.config ?? {}, { 'limits.cpu': '99' })
    return { name: 'New' }
  })
  expect(turns).toBe(2)
  expect(lxd.projects.get(id)?.config).toMatchObject({ 'user.portico.name': 'New', 'limits.cpu': '99' })
})

test('a panel that another process suspended while it was made stays suspended', async () => {
  const fake = await openFake()
  const twin = fake.beside(again)
  const busy = Promise.withResolvers<void>()
  const creation = fake.host.locks.alone('creation', () => busy.promise)
  const made = createPanel(fake.host, asked)
  await expect.poll(() => fake.lxd.projects.has(id)).toBe(true)
  await setWords(twin, id, { state: 'suspended' })
  busy.resolve()
  await Promise.all([creation, made])
  expect(await findPanel(fake.host, id)).toMatchObject({ state: 'suspended' })
  // The one that waited for its turn; none comes after it.
  expect(fake.lxd.servers.size).toBe(1)
})

test('two engines on one LXD make their servers one at a time, and give out no network twice', async () => {
  const fake = await openFake()
  const other = fake.beside(second)
  const panels = [1, 2, 3].flatMap((panel) => [
    createPanel(fake.host, { ...asked, panel_id: panel }),
    createPanel(other, { ...asked, panel_id: panel }),
  ])
  await Promise.all(panels)
  expect(fake.lxd.servers.size).toBe(18)
  expect(fake.lxd.mostAtOnce).toBe(1)
  const networks = [...fake.lxd.bridges.values()].map(({ config }) => config?.['ipv4.address'])
  expect(new Set(networks).size).toBe(6)
})

test('an engine that ends lets the others go on', async () => {
  const fake = await openFake()
  const other = fake.beside(second)
  const begun = Promise.withResolvers<void>()
  void fake.host.locks.aloneOnHost('creation', () => {
    begun.resolve()
    return new Promise(() => undefined)
  })
  await begun.promise
  fake.restart()
  expect(await createPanel(other, asked)).toMatchObject({ panel: { state: 'active' } })
})

test('what a mending of all panels asks of LXD grows by the same for each panel', async () => {
  const fake = await openFake()
  const callsAt: number[] = []
  for (let panel = 1; panel <= 100; panel++) {
    await createPanel(fake.host, { ...asked, panel_id: panel, plan: 'empty' })
    if (panel % 50 !== 0) continue
    const before = fake.lxd.calls
    expect(await mend(fake.host)).toEqual([])
    callsAt.push(fake.lxd.calls - before)
  }
  const [fifty = 0, hundred = 0] = callsAt
  expect((hundred - fifty) / 50).toBeLessThanOrEqual(4)
  expect(hundred - fifty).toBe(50 * Math.round((hundred - fifty) / 50))
})

import { expect, test } from 'vitest'
import { identityConfig, limits } from '#identity/config.ts'
import { prune } from '#identity/prune.ts'
import { keyRing } from '#identity/sessions/signing-keys.ts'
import { makeVault } from '#platform/vault.ts'
import { testDatabase } from '#test/support/database.ts'
import { stoppedClock } from '#test/support/people.ts'
import { networkOf, Throttle } from './throttle.ts'

const { pool } = await testDatabase()
const keys = keyRing('a token secret that only tests have')
const config = identityConfig({ publicUrl: 'http://localhost:3000', seed: 'none' })
const vault = makeVault('a token secret that only tests have')
const clock = stoppedClock()
// Each has nothing in memory, as two processes would have nothing in common but the database.
const throttles = [
  new Throttle({ pool, clock, keys, vault, config, brandName: () => '' }),
  new Throttle({ pool, clock, keys, vault, config, brandName: () => '' }),
] as const

let asked = 0

/** Charges once, by the one process or the other: 0 when let through, else the seconds to wait. */
async function charge(subject: string): Promise<number> {
  try {
    await throttles[asked++ % 2 ? 1 : 0].charge(limits.account, subject)
    return 0
  } catch (error) {
    expect(error).toMatchObject({ code: 'attempts_too_many', status: 429 })
    if (!(error instanceof Error && 'headers' in error)) throw error
    return Number(Object.entries(error.headers ?? {}).find(([name]) => name === 'retry-after')?.[1])
  }
}

const times = async (count: number, subject: string) => {
  const waits: number[] = []
  for (let i = 0; i < count; i++) waits.push(await charge(subject))
  return waits
}

test('ten tries, then a block of a minute that doubles with each further try', async () => {
  expect(await times(12, 'doubling')).toEqual([...Array(10).fill(0), 60, 60])
  let last = 60
  for (const next of [120, 240, 480, 960, 1920, 3600, 3600]) {
    clock.forward(last * 1000 - 1)
    expect(await charge('doubling')).toBe(1)
    clock.forward(1)
    expect(await times(2, 'doubling')).toEqual([0, next])
    last = next
  }
})

test('a window without attempts starts again', async () => {
  expect(await times(10, 'window')).toEqual(Array(10).fill(0))
  clock.forward(limits.account.window)
  expect(await times(11, 'window')).toEqual([...Array(10).fill(0), 60])
})

test('forty tries at the same moment: ten are let through', async () => {
  const waits = await Promise.all(Array.from({ length: 40 }, () => charge('parallel')))
  expect(waits.filter((wait) => wait === 0)).toHaveLength(10)
})

test('of concurrent tries at the limit exactly one reports the start of the block', async () => {
  let closings = 0
  const tryMany = () =>
    Promise.allSettled(
      Array.from({ length: 20 }, (_, at) =>
        throttles[at % 2 ? 1 : 0].charge(limits.secondFactor, 'closing', async () => void closings++),
      ),
    )
  const refused = (await tryMany()).filter(({ status }) => status === 'rejected')
  expect([refused.length, closings]).toEqual([15, 1])
  clock.forward(limits.secondFactor.block)
  await tryMany()
  expect(closings).toBe(2)
})

test('refunded attempts do not count, concurrent ones do', async () => {
  for (let i = 0; i < 30; i++)
    await throttles[0].refund([await throttles[1].charge(limits.account, 'refund')])
  expect(await times(11, 'refund')).toEqual([...Array(10).fill(0), 60])
})

test('only old counters are deleted', async () => {
  const count = async () =>
    (await pool.run({ sql: 'select count(*) from auth_throttle', values: [] }))[0]?.count
  const before = await count()
  await prune({ pool, clock })
  expect(await count()).toBe(before)
  clock.forward(26 * 3_600_000)
  await prune({ pool, clock })
  expect(await count()).toBe(0)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted as %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

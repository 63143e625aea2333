import { expect, test } from 'vitest'
import { testDatabase } from '#test/support/database.ts'
import { TestEngine, testVault } from '#test/support/engine.ts'
import { stoppedClock } from '#test/support/people.ts'
import type { Health } from './panel-engine.ts'
import { checkEngines } from './registry.ts'

// The health that engines report, as staff read it.

const { pool } = await testDatabase()

class Saying extends TestEngine {
  said: Partial<Pick<Health, 'reasons'>> & { status: Health['status'] } = { status: 'ok' }

  override async health(): Promise<Health> {
    return { ...(await super.health()), ...this.said }
  }
}

const engine = new Saying()
const outside = { pool, clock: stoppedClock(), vault: testVault, engines: { open: () => engine } }

async function shown(said: Saying['said']) {
  engine.said = said
  await checkEngines(outside)
  return pool.kysely
    .selectFrom('panel_engines')
    .select(['health', 'health_detail'])
    .where('is_default', '=', true)
    .executeTakeFirstOrThrow()
}

const since = '2026-03-01T10:00:00Z'

test('an engine that answers and is degraded says so and why, until it is well again', async () => {
  expect(await shown({ status: 'degraded' })).toEqual({ health: 'up', health_detail: 'degraded' })
  const reasons = [
    { code: 'maintenance', since, text: 'New disks' },
    { code: 'network', since },
  ] as const
  expect(await shown({ status: 'degraded', reasons })).toEqual({
    health: 'up',
    health_detail: `degraded; maintenance since ${since}, New disks; network since ${since}`,
  })
  const many = Array(20).fill({ code: 'other', since, text: 'x'.repeat(300) })
  expect((await shown({ status: 'ok', reasons: many })).health_detail).toHaveLength(500)
  expect(await shown({ status: 'ok' })).toEqual({ health: 'up', health_detail: null })
})

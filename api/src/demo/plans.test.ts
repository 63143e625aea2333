import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { compare } from '#money/pricing/import-plans.ts'
import { exportPlans } from '#money/pricing/plan-file.ts'
import { demoDatabase } from '#test/support/demo.ts'

const { pool } = await demoDatabase()

test('four plans are offered in three currencies, one is retired and one a draft', async () => {
  const { plans, price_lists: lists } = await exportPlans(pool.kysely)
  expect(plans.map(({ code, state }) => `${code} ${state}`)).toEqual([
    'start offered',
    'web-3 offered',
    'cluster-4 offered',
    'mail-24 offered',
    'old-web-2 retired',
    'web-9 draft',
  ])
  expect(lists.map(({ currency, default: is, fees }) => [currency, is, fees.length])).toEqual([
    ['EUR', true, 5],
    ['RON', true, 5],
    ['USD', true, 5],
  ])
})

test('the plans can be exported and imported again without a change', async () => {
  const file = await exportPlans(pool.kysely)
  expect(await compare(pool.kysely, file)).toEqual({ changes: [], faults: [] })
})

test('the demo’s engine makes what is offered from the first moment on', async () => {
  const { rows } = await sql<{ code: string }>`select p.code from plans p
    where p.state = 'offered' and exists (select from plan_carriers(p.id)) order by p.position`.execute(
    pool.kysely,
  )
  expect(rows.map(({ code }) => code)).toEqual(['start', 'web-3', 'cluster-4', 'mail-24'])
})

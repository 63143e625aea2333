import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { testDatabase } from './support/database.ts'
import { PayingPortal } from './support/paying-process.ts'
import { StripeServer } from './support/stripe.ts'
import { until } from './support/temporary.ts'

vi.setConfig({ testTimeout: 240_000 })

const { pool, connection } = await testDatabase()
const stripe = new StripeServer()
const portal = new PayingPortal(connection, await stripe.listen(), [], { WORKERS: '0' })

afterAll(async () => {
  await portal.end()
  stripe.close()
})

test('a web process without a worker keeps the installation alive', async () => {
  await portal.start()
  await sql`update settings set value = value || jsonb_build_object('aliveAt', now() - interval '5 hours')
    where key = 'acts_as'`.execute(pool.kysely)
  const isAlive = async () => {
    const { rows } = await sql`select from settings where key = 'acts_as'
      and (value ->> 'aliveAt')::timestamptz > now() - interval '1 minute'`.execute(pool.kysely)
    return rows.length > 0 || undefined
  }
  expect((await until(isAlive, 60_000)).value).toBe(true)
})

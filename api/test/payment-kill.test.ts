import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyLedger } from '#money/ledger/verify.ts'
import { testDatabase } from './support/database.ts'
import { makeOperator } from './support/documents.ts'
import { PayingPortal } from './support/paying-process.ts'
import { StripeServer } from './support/stripe.ts'

// The portal as a real process, killed while Stripe has charged and it has not heard of it. `npm run chaos:payments` does so
// for long.

const stripe = new StripeServer()
const { pool, connection } = await testDatabase()
const portal = new PayingPortal(connection, await stripe.listen())
afterAll(async () => {
  await portal.end()
  stripe.close()
})
beforeAll(() => makeOperator(pool))

const payments = async (client: number) =>
  (
    await sql<{ id: number; status: string; provider_ref: string | null }>`
      select id, status, provider_ref from payments where client_id = ${client} order by id`.execute(
      pool.kysely,
    )
  ).rows

test('a payment killed between charge and commit is settled once after a restart', async () => {
  await portal.start()
  const ion = await portal.payer(pool, stripe)
  const key = randomUUID()
  stripe.interruptNext(/POST \/v1\/payment_intents$/, () => portal.kill())
  expect((await portal.topUp(ion, 20, key)).status).toBe(0)
  const [lost] = await payments(ion.id)
  expect(lost).toMatchObject({ status: 'created', provider_ref: null })
  expect(stripe.charges(lost?.id ?? 0)).toHaveLength(1)

  await portal.start()
  // Its time has come; `npm run chaos:payments` waits for it.
  await sql`update graphile_worker._private_jobs set run_at = now() where key = ${`look:${lost?.id}`}`.execute(
    pool.kysely,
  )
  const again = portal.topUp(ion, 20, key)
  await expect.poll(() => payments(ion.id), { timeout: 15_000 }).toMatchObject([{ status: 'succeeded' }])
  expect((await again).status).toBeLessThan(500)
  expect(stripe.charges(lost?.id ?? 0)).toHaveLength(1)
  const { rows } = await sql<{ invoices: number; balance: string }>`
    select (select count(*)::int from invoices where client_id = ${ion.id} and kind = 'fiscal') as invoices,
      (select trim_scale(account_balance)::text from account_balances where client_id = ${ion.id}) as balance`.execute(
    pool.kysely,
  )
  expect(rows).toEqual([{ invoices: 1, balance: '20' }])
  expect(await verifyLedger(pool.kysely)).toEqual([])
  expect(stripe.violations).toEqual([])
}, 60_000)

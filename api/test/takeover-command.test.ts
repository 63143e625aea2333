import { spawn } from 'node:child_process'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activeSeries } from '#money/takeover.ts'
import { copyOf, lastAlive, markActing } from '#platform/acts-as.ts'
import { withClient } from '#platform/db/client.ts'
import { makeAccount } from './support/account.ts'
import { testDatabase } from './support/database.ts'
import { makeOperator } from './support/documents.ts'
import { urlOf } from './support/paying-process.ts'
import { StripeServer, stripeSettings } from './support/stripe.ts'
import { temporaryFolder } from './support/temporary.ts'

// `npm run takeover` as an operator runs it.

vi.setConfig({ testTimeout: 120_000 })

const root = path.resolve(import.meta.dirname, '../..')
const { pool, connection } = await testDatabase()
const db = pool.kysely
const stripe = new StripeServer()
const data = temporaryFolder()
const env = {
  SEED: 'none',
  DATABASE_URL: urlOf(connection),
  TOKEN_SECRET: 'only for take-overs: thirty-two and more',
  DATA_DIR: data.folder,
}
const settings = stripeSettings(await stripe.listen())
const withStripe = {
  STRIPE_SECRET_KEY: settings.secretKey,
  STRIPE_PUBLISHABLE_KEY: settings.publishableKey,
  STRIPE_WEBHOOK_SECRET: settings.webhookSecrets.join(','),
  STRIPE_API_BASE: settings.apiBase,
}

afterAll(() => {
  stripe.close()
  data.remove()
})
beforeAll(async () => {
  await makeOperator(pool)
  const { id } = await makeAccount(pool, { projects: 1, panels: 0 })
  await sql`insert into payment_customers (client_id, provider, ref) values (${id}, 'stripe', 'cus_1')`.execute(
    db,
  )
})
beforeEach(async () => {
  stripe.things.clear()
  stripe.movedHoursAgo = 1
  await sql`delete from staff_alerts`.execute(db)
  await withClient(connection, (client) => markActing(client, { publicUrl: 'http://localhost:3000' }))
})

/** Says yes to everything, and the last numbers as they are here; `between` happens before the last answer. */
async function takeOver(
  more: Readonly<Record<string, string>>,
  between: () => void = () => undefined,
): Promise<{ status: number | null; said: string }> {
  const child = spawn(process.execPath, ['api/src/commands/takeover.ts'], {
    cwd: root,
    env: { ...process.env, ...env, ...more },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      const before = said
      said += chunk
      if (before.includes('must be off') || !said.includes('must be off')) return
      between()
      child.stdin.end('yes\n')
    })
  child.stdin.on('error', () => undefined)
  for (const _ of await activeSeries(db)) child.stdin.write('\n')
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, said }
}

const alerts = () => db.selectFrom('staff_alerts').select(['kind', 'about']).orderBy('kind').execute()

const charge = (ref: string) =>
  stripe.things.set(ref, {
    id: ref,
    object: 'payment_intent',
    status: 'succeeded',
    amount: 6050,
    amount_received: 6050,
    currency: 'eur',
    customer: 'cus_1',
  })

const lastId = async () => {
  const { rows } = await sql<{ last: number }>`select last_value::int as last from clients_id_seq`.execute(db)
  return rows[0]?.last ?? 0
}

test('with ACT=0 it takes over after a recovery that PostgreSQL cannot tell from the original', async () => {
  const since = await withClient(connection, lastAlive)
  charge('pi_after')
  stripe.movedHoursAgo = 0
  const before = await lastId()
  const taken = await takeOver({ ...withStripe, ACT: '0' })
  expect([taken.status, taken.said]).toEqual([
    0,
    expect.stringContaining('Remove ACT, and restart the portal on every machine'),
  ])
  expect(taken.said).toContain('This portal is a copy, because ACT is 0.')
  expect(taken.said).toContain(`Its original was last active at ${since?.toISOString()}.`)
  expect((await lastId()) - before).toBe(1_000_000)
  expect(await alerts()).toEqual([{ kind: 'charge_after_backup', about: 'stripe pi_after' }])
  const acting = { act: true, publicUrl: 'http://localhost:3000', seed: 'none' as const }
  expect(await copyOf({ ...acting, databaseUrl: env.DATABASE_URL, dataDir: data.folder }, connection)).toBe(
    undefined,
  )
})

test('of a provider whose keys are missing the charges are unknown', async () => {
  const taken = await takeOver({ ACT: '0' })
  expect([taken.status, taken.said]).toEqual([
    0,
    expect.stringContaining('The payments since then are unknown, because stripe is not configured.'),
  ])
  expect(await alerts()).toEqual([{ kind: 'charges_unknown', about: 'stripe' }])
})

test('a charge that the original made during the questions is an alert too', async () => {
  const taken = await takeOver({ ...withStripe, ACT: '0' }, () => {
    charge('pi_late')
    stripe.movedHoursAgo = 0
  })
  expect([taken.status, taken.said]).toEqual([0, expect.stringContaining('0 payments and refunds')])
  expect(await alerts()).toEqual([{ kind: 'charge_after_backup', about: 'stripe pi_late' }])
})

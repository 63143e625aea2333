import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { paymentScopeOn } from '#money/payments/payment-scope.ts'
import type { ProviderMovement } from '#money/payments/providers/payment-provider.ts'
import { settlePayment } from '#money/payments/settle-payment.ts'
import { alertMovements } from '#money/takeover.ts'
import { Conflict } from '#platform/db/transact.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, makePayer, pay } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { testVault } from '#test/support/mail.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal } from '#test/support/portal.ts'
import { chargeIfLow } from './automated-billing.ts'

// A restored portal, whose original charged cards after the backup.

const portal = await testPortal({ poolSize: 6 })
const { pool } = portal
const db = pool.kysely
const paymentScope = paymentScopeOn({ pool, vault: testVault, payments: portal.payments })

beforeAll(async () => {
  await makeOperator(pool)
  await businessTime(pool, '2026-06-10T10:00:00Z')
})
beforeEach(() => sql`update staff_alerts set resolved_at = now() where resolved_at is null`.execute(db))

/** A client who is charged automatically, because their balance is low. */
async function makeLow(): Promise<Account> {
  const client = await makePayer(portal, '5')
  const card = await addCard(portal, client)
  const me = portal.as(client)
  const url = `${base}/automated-billing-rules`
  const { one } = await me.post(url, {
    data: {
      type: 'automated-billing-rules',
      attributes: { threshold_amount: 15, recharge_amount: 50 },
      relationships: { card: { data: { type: 'cards', id: String(card) } } },
    },
  })
  const consent = 'I let the portal charge my card when my balance is low. VAT is added on top.'
  await me.post(`${url}/${one.id}/-actions/enable`, { consent })
  return client
}

async function charged(client: Account): Promise<ProviderMovement> {
  const { ref } = await db
    .selectFrom('payment_customers')
    .select('ref')
    .where('client_id', '=', client.id)
    .executeTakeFirstOrThrow()
  const at = new Date('2026-06-09T09:00:00Z')
  const sum = { amount: '60.50', currency: 'EUR', fee: null }
  return { kind: 'charge', ref: `pi_${client.id}`, customerRef: ref, ...sum, at }
}

const decided = async ({ id }: Account) => (await chargeIfLow(paymentScope, id))?.reason

const alerts = () =>
  db.selectFrom('staff_alerts').select(['kind', 'about', 'detail']).where('resolved_at', 'is', null).execute()

const resolve = (kind: string) =>
  sql`update staff_alerts set resolved_at = now() where kind = ${kind}`.execute(db)

test('a client who was charged after the backup is not charged again until staff have decided', async () => {
  const [ana, bob] = [await makeLow(), await makeLow()]
  const movement = await charged(ana)
  const elsewhere = { ...movement, ref: 'pi_elsewhere', customerRef: 'cus_of_a_shop' }
  const refund = { ...movement, kind: 'refund' as const, ref: 're_1', customerRef: null }
  await alertMovements(db, 'sandbox', [movement, elsewhere, refund])
  expect((await alerts()).sort((a, b) => a.about.localeCompare(b.about))).toMatchObject([
    { kind: 'reconciliation_refund', about: 're_1' },
    {
      kind: 'charge_after_backup',
      about: `sandbox pi_${ana.id}`,
      detail: { client_id: ana.id, day: '2026-06-09' },
    },
    { kind: 'charge_after_backup', about: 'sandbox pi_elsewhere', detail: { client_id: null } },
  ])
  expect([await decided(ana), await decided(bob)]).toEqual(['charge_unclear', 'below_threshold'])
  await resolve('charge_after_backup')
  expect(await decided(ana)).toBe('below_threshold')
})

test('a charge that was on its way at the backup is booked by itself, which resolves its alert', async () => {
  const ana = await makeLow()
  const card = await addCard(portal, ana, '4000 0027 6000 3184')
  const { one } = await pay(portal.as(ana), { net: 50 }, { card })
  const { id, provider_ref, gross, currency } = await db
    .selectFrom('payments')
    .select(['id', 'provider_ref', 'gross', 'currency'])
    .where('id', '=', Number(one.id))
    .executeTakeFirstOrThrow()
  const ref = provider_ref ?? ''
  await alertMovements(db, 'sandbox', [{ ...(await charged(ana)), ref }])
  expect(await decided(ana)).toBe('charge_unclear')
  expect(await settlePayment(paymentScope, id, { ref, currency, amountReceived: gross })).toBe(true)
  expect(await alerts()).toEqual([])
})

test('a transaction of a job starts again after a conflict, as that of a request does', async () => {
  let tries = 0
  const work = async () => {
    tries += 1
    if (tries === 1) throw new Conflict('Others have sold meanwhile.')
    return tries
  }
  expect(await paymentScope.within(work)).toBe(2)
})

test('while the charges since the backup are unknown nobody is charged automatically', async () => {
  const ana = await makeLow()
  await alertMovements(db, 'sandbox', undefined)
  expect(await decided(ana)).toBe('charge_unclear')
  await resolve('charges_unknown')
  expect(await decided(ana)).toBe('below_threshold')
})

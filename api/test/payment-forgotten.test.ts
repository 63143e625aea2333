import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { requestForgotten } from '#money/payments/late/forgotten-payments.ts'
import { sendRefund } from '#money/payments/refunds/refunds.ts'
import type { Account } from './support/account.ts'
import { keyed, makePayer, pay } from './support/card.ts'
import { stripePortal } from './support/stripe-portal.ts'

// Refunds and messages whose jobs were tried in vain, or whose news never came: none is lost, and none is done twice.

const { stripe, portal, db, paymentScope, addCard, deliver, workOff } = await stripePortal()
let ana: Account
let paid: { id: number; ref: string }

beforeEach(async () => {
  stripe.refundsAre = 'succeeded'
  ana = await makePayer(portal)
  await addCard(ana)
  const { one } = await pay(portal.as(ana), { net: 50 })
  const { provider_ref } = await db
    .selectFrom('payments')
    .select('provider_ref')
    .where('id', '=', Number(one.id))
    .executeTakeFirstOrThrow()
  paid = { id: Number(one.id), ref: String(provider_ref) }
  await forgetJobs()
})

const forgetJobs = () => sql`delete from graphile_worker._private_jobs`.execute(db)

/** The key of each job that waits to be run. */
async function waiting(): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select key from graphile_worker._private_jobs
    where is_available and key ~ '^(event|refund):' order by key`.execute(db)
  return rows.map(({ key }) => key)
}

/** Every job was tried for the last time. */
const giveUp = () => sql`update graphile_worker._private_jobs set attempts = max_attempts`.execute(db)

/** Time goes by since anything was heard of a refund, and since it was begun. */
const wait = (time: string) =>
  db.transaction().execute(async (tx) => {
    await sql`alter table payment_refunds disable trigger touch`.execute(tx)
    await sql`update payment_refunds set updated_at = updated_at - ${time}::interval,
      begun_at = begun_at - ${time}::interval`.execute(tx)
    await sql`alter table payment_refunds enable trigger touch`.execute(tx)
  })

async function askBack(): Promise<number> {
  await keyed(portal.as(ana), `${base}/transactions/${paid.id}/-actions/refund`, { reason: 'Not needed' })
  return (await refund()).id
}

const refund = () =>
  db.selectFrom('payment_refunds').selectAll().where('payment_id', '=', paid.id).executeTakeFirstOrThrow()

/** How many refunds Stripe has, what ours has become, and how many credit notes there are. */
async function outcome() {
  const { rows } = await sql<{ notes: number }>`select count(*)::int as notes from invoices
    where client_id = ${ana.id} and kind = 'credit_note'`.execute(db)
  return [stripe.refunds(paid.ref).length, (await refund()).status, rows[0]?.notes]
}

test('a refund whose job was given up is sent again once, and cannot be requested twice meanwhile', async () => {
  const id = await askBack()
  stripe.failNext(/POST \/v1\/refunds$/, 'reset_before', 'reset_before')
  await expect(sendRefund(paymentScope, id)).rejects.toThrow()
  await giveUp()
  // The first tries are left their time.
  await requestForgotten(paymentScope)
  expect(await waiting()).toEqual([])
  await wait('11 minutes')
  await requestForgotten(paymentScope)
  expect(await waiting()).toEqual([`refund:${id}`])
  // While one waits it is left to its own times.
  expect(await requestForgotten(paymentScope)).toBe(0)
  await Promise.all([sendRefund(paymentScope, id), sendRefund(paymentScope, id)])
  expect(await outcome()).toEqual([1, 'succeeded', 1])
  await forgetJobs()
  await wait('11 minutes')
  expect(await requestForgotten(paymentScope)).toBe(0)
})

test('a refund with a lost answer and an expired key is looked up before it is sent again', async () => {
  const id = await askBack()
  stripe.failNext(/POST \/v1\/refunds$/, 'reset_after', 'reset_after')
  await expect(sendRefund(paymentScope, id)).rejects.toThrow()
  await wait('25 hours')
  stripe.forgetAnswers()
  await sendRefund(paymentScope, id)
  expect(await outcome()).toEqual([1, 'succeeded', 1])
})

test('a refund that never reached Stripe is sent even a day later', async () => {
  const id = await askBack()
  await wait('25 hours')
  await sendRefund(paymentScope, id)
  expect(await outcome()).toEqual([1, 'succeeded', 1])
})

test('a refund that the bank takes its time for ends without a message', async () => {
  stripe.refundsAre = 'pending'
  const id = await askBack()
  await sendRefund(paymentScope, id)
  await forgetJobs()
  expect(await outcome()).toEqual([1, 'pending', 0])
  await wait('11 minutes')
  await requestForgotten(paymentScope)
  expect(await waiting()).toEqual([`refund:${id}`])
  await sendRefund(paymentScope, id)
  await forgetJobs()
  // It was asked about just now.
  expect(await requestForgotten(paymentScope)).toBe(0)
  stripe.decide(String((await refund()).provider_ref), 'succeeded')
  await sendRefund(paymentScope, id)
  expect(await outcome()).toEqual([1, 'succeeded', 1])
})

test('a message whose job was given up is processed again, and foreign ones do not wait', async () => {
  const dispute = { id: `dp_${paid.id}`, object: 'dispute', payment_intent: paid.ref }
  stripe.things.set(dispute.id, {
    ...dispute,
    amount: 6050,
    currency: 'usd',
    status: 'needs_response',
    balance_transactions: [],
  })
  await deliver(stripe.event('charge.dispute.created', dispute))
  await deliver(stripe.event('customer.created', { id: 'cus_1' }))
  await giveUp()
  await requestForgotten(paymentScope)
  expect(await waiting()).toEqual([])
  await sql`update payment_events set received_at = now() - interval '11 minutes'`.execute(db)
  expect(await requestForgotten(paymentScope)).toBe(1)
  expect(await waiting()).toEqual([`event:stripe:${dispute.id}`])
  expect(await requestForgotten(paymentScope)).toBe(0)
  await workOff()
  const { rows } = await sql`select status from payment_disputes where payment_id = ${paid.id}`.execute(db)
  expect(rows).toEqual([{ status: 'open' }])
  expect(await requestForgotten(paymentScope)).toBe(0)
})

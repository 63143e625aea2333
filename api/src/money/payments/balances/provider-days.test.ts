import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { reconcile } from '#money/payments/reconcile.ts'
import { makePayer, pay } from '#test/support/card.ts'
import { businessTime } from '#test/support/money.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { readBalances } from './read-balances.ts'

// Stripe has its account in lei here, and changes the dollars of clients.

const { stripe, portal, db, paymentScope, addCard } = await stripePortal()
const { pool } = portal
const readonly = portal.staff(await makeAdmin(pool, 'readonly'))
const billing = portal.staff(await makeAdmin(pool, 'billing'))
const path = `${base}/provider-days`
let today = 1

/** The comparison of a night. */
async function compare(): Promise<void> {
  await businessTime(pool, `2026-10-0${++today}T04:00:00Z`)
  stripe.movedHoursAgo = 0
  expect(await reconcile(paymentScope, (sentence) => expect(sentence).toBe(''))).toBe(0)
  await readBalances(paymentScope)
}

/** The account in lei by day, newest first. */
async function days(currency = 'RON') {
  const { list } = await readonly.get(`${path}?filter[currency]=${currency}`)
  return list.map(({ attributes: a }) => [
    a?.day,
    a?.paid_out,
    a?.held,
    a?.expected,
    a?.difference,
    a?.changed,
  ])
}

const latest = async () => JSON.parse((await readonly.get(`${path}/-actions/latest`)).text).accounts

test('payments, fees, payouts and changed money add up, and what the books lack is a difference of its day', async () => {
  await compare()
  const ana = await makePayer(portal, null)
  await addCard(ana)
  await pay(portal.as(ana), { net: 50 })
  await compare()
  // 60.50 dollars at 4.5, less 1.5 % and a quarter of a leu of the dollars.
  const first = 272.25 - 1.16
  expect(await days()).toEqual([
    ['2026-10-03', 0, first, first, 0, 0],
    ['2026-10-02', 0, 0, 0, 0, 0],
  ])
  expect((await days('USD'))[0]).toEqual(['2026-10-03', 0, 0, 0, 0, 0])
  expect((await latest()).map(({ since }: { since: string | null }) => since)).toEqual([null, null])

  stripe.sent.push({ type: 'payout', amount: 10_000 })
  await compare()
  expect((await days())[0]).toEqual(['2026-10-04', 100, 171.09, 171.09, 0, 0])

  stripe.sent.push({ type: 'stripe_fee', amount: 1234 })
  await compare()
  await compare()
  expect((await days()).slice(0, 2)).toEqual([
    ['2026-10-06', 0, 158.75, 171.09, -12.34, 0],
    ['2026-10-05', 0, 158.75, 171.09, -12.34, -12.34],
  ])
  expect(await latest()).toMatchObject([
    { currency: 'RON', day: '2026-10-06', difference: -12.34, since: '2026-10-05' },
    { currency: 'USD', difference: 0, since: null },
  ])
})

test('a comparison that is repeated on a day replaces the one before', async () => {
  const before = await days()
  await readBalances(paymentScope)
  expect(await days()).toEqual(before)
})

test('money in open disputes is said beside the difference', async () => {
  const { rows } = await sql<{
    id: number
  }>`select id from payments where provider = 'stripe' limit 1`.execute(db)
  await sql`insert into payment_disputes (payment_id, provider, provider_ref, amount, status)
    values (${rows[0]?.id}, 'stripe', 'dp_held', 20, 'open')`.execute(db)
  await readBalances(paymentScope)
  expect(await latest()).toMatchObject([{ disputed: 0 }, { currency: 'USD', disputed: 20 }])
})

test('billing asks for a comparison now, which is the job of the night', async () => {
  const reason = { 'portico-reason': 'To see today' }
  expect(
    (await readonly.call('POST', `${path}/-actions/compareNow`, { body: {}, headers: reason })).status,
  ).toBe(403)
  const asked = await billing.call('POST', `${path}/-actions/compareNow`, { body: {}, headers: reason })
  expect(asked.json).toEqual({ queued: true })
  const { rows } = await sql`select task_identifier from graphile_worker.jobs
    where task_identifier = 'payments.reconcile'`.execute(db)
  expect(rows).toHaveLength(1)
})

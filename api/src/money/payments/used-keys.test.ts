import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Account } from '#test/support/account.ts'
import { makePayer, pay } from '#test/support/card.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { pollPayments } from './inbox.ts'

// A restored database gives the id of a payment that its original made after the backup.

const { stripe, portal, db, paymentScope, addCard } = await stripePortal(8)
let ana: Account

beforeEach(async () => {
  ana = await makePayer(portal)
})

const paymentOf = (client: Account) =>
  db.selectFrom('payments').selectAll().where('client_id', '=', client.id).executeTakeFirstOrThrow()

async function pollAfter(time: string, client: Account) {
  await sql`update payments set begun_at = now() - ${time}::interval, next_look_at = now()
    where client_id = ${client.id}`.execute(db)
  await pollPayments(paymentScope)
  return paymentOf(client)
}

/** Bob's next payment gets the id of a charge of Ana, which this database does not have. */
async function chargedAs(net: number): Promise<{ bob: Account; id: number }> {
  await addCard(ana)
  const bob = await makePayer(portal)
  await addCard(bob)
  await pay(portal.as(ana), { net })
  const { id } = await paymentOf(ana)
  const forgotten = [...stripe.things.values()].find(({ id: ref }) => ref === stripe.charges(id)[0]?.id)
  if (!forgotten) throw new Error('Ana was charged.')
  const { rows } = await sql<{ next: number }>`select last_value + 1 as next from payments_id_seq`.execute(db)
  Object.assign(forgotten, { metadata: { payment_id: String(rows[0]?.next) } })
  return { bob, id: Number(rows[0]?.next) }
}

test('the charge of another client under the same id is not taken for a payment', async () => {
  const { bob, id } = await chargedAs(50)
  stripe.failNext(/POST \/v1\/payment_intents$/, 'reset_before', 'reset_before')
  await pay(portal.as(bob), { net: 50 })
  expect((await paymentOf(bob)).id).toBe(id)
  expect(await pollAfter('25 hours', bob)).toMatchObject({ status: 'failed', failure_code: 'never_charged' })
  expect((await paymentOf(bob)).settled_at).toBeNull()
})

test('a payment whose key was used for another request has failed once the search is complete', async () => {
  const { bob, id } = await chargedAs(50)
  stripe.useKey(`pay:${id}`)
  const { status, one } = await pay(portal.as(bob), { net: 50 })
  expect([status, one.attributes]).toMatchObject([201, { status: 'processing' }])
  expect(await pollAfter('5 minutes', bob)).toMatchObject({ failure_code: 'outcome_unknown' })
  expect(await pollAfter('11 minutes', bob)).toMatchObject({
    status: 'failed',
    failure_code: 'never_charged',
  })
  expect(stripe.charges(id), 'only that of Ana').toHaveLength(1)
})

test('the own charge of a payment is found, though its request has another form by now', async () => {
  await addCard(ana)
  stripe.failNext(/POST \/v1\/payment_intents$/, 'reset_after', 'reset_after')
  await pay(portal.as(ana), { net: 50 })
  stripe.useKey(`pay:${(await paymentOf(ana)).id}`)
  expect(await pollAfter('5 minutes', ana)).toMatchObject({ status: 'succeeded', failure_code: null })
})

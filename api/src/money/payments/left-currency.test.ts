import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { requestForgotten } from '#money/payments/forgotten-payments.ts'
import { pollPayments, processEvent } from '#money/payments/inbox.ts'
import { makeAccount } from '#test/support/account.ts'
import { keyed, pay } from '#test/support/card.ts'
import { makeBuyer } from '#test/support/documents.ts'
import { offerCurrencies } from '#test/support/newcomer.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// A card payment that had failed, and whose money arrives after its account was changed to another currency.

const { stripe, portal, db, paymentScope, addCard, deliver, workOff } = await stripePortal()
await offerCurrencies(portal.pool, 'RON')
await sql`insert into fx_rates (base, quote, published_on, rate, source)
  values ('RON', 'USD', '2020-01-01', 0.2, 'recorded')`.execute(db)
const billing = portal.staff(await makeAdmin(portal.pool, 'billing'))

async function arrivedAfterwards() {
  const ana = await makeAccount(portal.pool, { projects: 1, panels: 0, opening: null })
  await makeBuyer(portal.pool, ana)
  await addCard(ana, 'sca')
  const id = Number((await pay(portal.as(ana), { net: 50 })).one.id)
  const read = () =>
    db
      .selectFrom('payments')
      .select(['status', 'provider_ref', 'failure_code', 'settled_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const ref = String((await read()).provider_ref)
  stripe.decide(ref, 'requires_payment_method')
  await sql`update payments set next_look_at = now() where id = ${id}`.execute(db)
  await pollPayments(paymentScope)
  const keptIn = async (currency: string) => {
    const done = await keyed(billing, `${base}/desk-clients/${ana.id}/-actions/changeCurrency`, { currency })
    expect(done.faults).toEqual([])
  }
  await keptIn('RON')
  stripe.decide(ref, 'succeeded')
  await deliver(stripe.event('payment_intent.succeeded', { id: ref }))
  await workOff()
  return { ana, id, ref, read, keptIn }
}

const alertsOf = async (id: number) => {
  const { rows } = await sql<{ kind: string; detail: object }>`select kind, detail from staff_alerts
    where payment_id = ${id} and resolved_at is null`.execute(db)
  return rows
}

const requested = async (ref: string) => {
  const { rows } = await sql`select from graphile_worker.jobs where key = ${`event:stripe:${ref}`}`.execute(
    db,
  )
  return rows.length
}

test('money in a currency that the account has left is not settled, and staff are alerted', async () => {
  const { ana, id, ref, read } = await arrivedAfterwards()
  expect(await read()).toMatchObject({ status: 'failed', failure_code: 'currency_changed', settled_at: null })
  expect(await alertsOf(id)).toMatchObject([
    { kind: 'payment_currency', detail: { client_id: ana.id, received: '60.50 USD', account: 'RON' } },
  ])
  const { rows } =
    await sql`select from payment_events where object_ref = ${ref} and processed_at is null`.execute(db)
  expect(rows).toEqual([])
  await sql`delete from graphile_worker._private_jobs where key = ${`event:stripe:${ref}`}`.execute(db)
  await requestForgotten(paymentScope)
  expect(await requested(ref)).toBe(0)
})

test('such money is booked once the account is back in its currency', async () => {
  const { ana, id, ref, read, keptIn } = await arrivedAfterwards()
  await keptIn('USD')
  await sql`delete from graphile_worker._private_jobs where key = ${`event:stripe:${ref}`}`.execute(db)
  await requestForgotten(paymentScope)
  expect(await requested(ref)).toBe(1)
  await processEvent(paymentScope, { provider: 'stripe', about: 'payment', objectRef: ref })
  expect(await read()).toMatchObject({ status: 'succeeded', failure_code: null })
  expect(await alertsOf(id)).toEqual([])
  const { one } = await billing.get(`${base}/desk-clients/${ana.id}`)
  expect(one.attributes).toMatchObject({ currency: 'USD', account_balance: 50 })
})

import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { pollPayments, processEvent } from '#money/payments/inbox.ts'
import { makeAccount } from '#test/support/account.ts'
import { keyed, pay } from '#test/support/card.ts'
import { disputesOn } from '#test/support/disputes.ts'
import { makeBuyer } from '#test/support/documents.ts'
import { offerCurrencies } from '#test/support/newcomer.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { requestForgotten } from './forgotten-payments.ts'

// A card payment that had failed, and whose money arrives after its account was changed to another currency.

const stripePorts = await stripePortal(8)
const { stripe, portal, db, paymentScope, addCard, deliver, workOff } = stripePorts
const { decided, told, alertsOf, booksOf } = disputesOn(stripePorts)
await offerCurrencies(portal.pool, 'RON')
await sql`insert into fx_rates (base, quote, published_on, rate, source)
  values ('RON', 'USD', '2020-01-01', 0.2, 'recorded')`.execute(db)
const billing = portal.staff(await makeAdmin(portal.pool, 'billing'))
const paidDay = '2026-03-05'

afterEach(() => expect(portal.bugs.splice(0)).toEqual([]))

const change = async (id: number, currency: string) =>
  expect(
    (await keyed(billing, `${base}/desk-clients/${id}/-actions/changeCurrency`, { currency })).faults,
  ).toEqual([])

/** A card payment of 60.50 dollars that its person has not confirmed yet. */
async function begun(net = 50) {
  const ana = await makeAccount(portal.pool, { projects: 1, panels: 0, opening: null })
  await makeBuyer(portal.pool, ana)
  await addCard(ana, 'sca')
  const id = Number((await pay(portal.as(ana), { net })).one.id)
  const read = () =>
    db
      .selectFrom('payments')
      .select(['status', 'provider_ref', 'failure_code', 'settled_at', 'net', 'vat', 'gross'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const ref = String((await read()).provider_ref)
  return { ana, id, ref, read, of: { id, provider_ref: ref } }
}

/** A payment of 60.50 dollars that failed, and that was paid on a day in March, when the account was in lei. */
async function arrivedLate(net?: number) {
  const payment = await begun(net)
  const { ana, id, ref } = payment
  stripe.decide(ref, 'requires_payment_method')
  await sql`update payments set next_look_at = now() where id = ${id}`.execute(db)
  await pollPayments(paymentScope)
  await change(ana.id, 'RON')
  stripe.decide(ref, 'succeeded')
  Object.assign(stripe.things.get(ref) ?? {}, { charged_at: Date.parse(paidDay) / 1000 })
  const says = async (type: string, object: object) => {
    await deliver(stripe.event(type, object))
    await workOff()
  }
  await says('payment_intent.succeeded', { id: ref })
  return { ...payment, says }
}

/** What the minute's job does, once the time of the next look has come. */
async function look(id: number) {
  await sql`update payments set next_look_at = now() where id = ${id} and next_look_at is not null`.execute(
    db,
  )
  await requestForgotten(paymentScope)
  await workOff()
}

const asksOf = (ref: string) => stripe.requests.filter(({ path }) => path.endsWith(ref)).length

/** Tax point, net and VAT of the fiscal documents of a client. */
const documentsOf = (id: number) =>
  db
    .selectFrom('invoices')
    .select(['tax_point_date', 'net', 'vat'])
    .where('client_id', '=', id)
    .where('kind', '<>', 'proforma')
    .execute()

const booked = { status: 'succeeded', failure_code: null }
const nothing = { status: 'failed', settled_at: null, gross: '60.50' }

test('money in a currency that the account has left is not booked, and staff are alerted', async () => {
  const { ana, id, ref, read } = await arrivedLate()
  expect(await read()).toMatchObject({ ...nothing, failure_code: 'currency_changed' })
  const { rows } = await sql`select kind, detail from staff_alerts where payment_id = ${id}`.execute(db)
  expect(rows).toMatchObject([
    { kind: 'payment_currency', detail: { client_id: ana.id, received: '60.50 USD', account: 'RON' } },
  ])
  const waiting =
    await sql`select from payment_events where object_ref = ${ref} and processed_at is null`.execute(db)
  expect(waiting.rows).toEqual([])
  const asked = asksOf(ref)
  await look(id)
  expect(asksOf(ref)).toBe(asked)
  expect(await documentsOf(ana.id)).toEqual([])
})

test('it is booked once, as of the day of the charge, when the account is back in its currency', async () => {
  const { ana, id, ref, read } = await arrivedLate()
  await sql`update staff_alerts set resolved_at = now() where payment_id = ${id}`.execute(db)
  await change(ana.id, 'USD')
  await requestForgotten(paymentScope)
  const both = Array.from({ length: 2 }, () =>
    processEvent(paymentScope, { provider: 'stripe', about: 'payment', objectRef: ref }),
  )
  await Promise.all([...both, workOff()])
  expect(await read()).toMatchObject({ ...booked, gross: '60.50' })
  expect(await alertsOf(id)).toEqual([])
  expect(await documentsOf(ana.id)).toEqual([{ tax_point_date: paidDay, net: '50.00', vat: '10.50' }])
  expect(await booksOf(ana.id)).toMatchObject({ balance: 50, provider: 60.5 })
})

test('what staff gave back at the provider meanwhile is not booked, whichever message comes', async () => {
  const { ana, id, ref, read, says } = await arrivedLate()
  stripe.giveBack(ref, 2050)
  await change(ana.id, 'USD')
  await says('charge.refunded', { id: 'ch_1', payment_intent: ref })
  expect(await read()).toMatchObject({ ...booked, gross: '40.00', net: '33.06', vat: '6.94' })
  expect(await documentsOf(ana.id)).toEqual([{ tax_point_date: paidDay, net: '33.06', vat: '6.94' }])
  expect(await booksOf(ana.id)).toMatchObject({ balance: 33.06, provider: 40 })
  const refund = (amount: number) =>
    keyed(billing, `${base}/transactions/${id}/-actions/refund`, { amount, reason: 'Given back' })
  expect((await refund(33.07)).faults).toEqual(['409 refund_most /data/amount'])
  expect((await refund(33.06)).faults).toEqual([])
})

test('money that was given back whole is never booked, and its alert ends', async () => {
  const { ana, id, ref, read, says } = await arrivedLate()
  stripe.giveBack(ref, 2050)
  stripe.giveBack(ref, 4000)
  await says('charge.refunded', { id: 'ch_1', payment_intent: ref })
  expect(await read()).toMatchObject({ ...nothing, failure_code: 'payment_returned' })
  expect(await alertsOf(id)).toEqual([])
  await change(ana.id, 'USD')
  await look(id)
  expect(await read()).toMatchObject(nothing)
  expect(await documentsOf(ana.id)).toEqual([])
})

test('a refund at the provider that failed is booked after all', async () => {
  const { ana, id, ref, read, says } = await arrivedLate()
  const refund = stripe.giveBack(ref, 6050)
  await says('charge.refunded', { id: 'ch_1', payment_intent: ref })
  await change(ana.id, 'USD')
  Object.assign(stripe.things.get(refund) ?? {}, { status: 'failed' })
  await look(id)
  expect(await read()).toMatchObject({ ...booked, gross: '60.50' })
})

test('disputed money waits for the decision: what is won is booked, what is lost is not', async () => {
  const { ana, id, read, of } = await arrivedLate()
  await told('needs_response', 2050, of)
  await change(ana.id, 'USD')
  await look(id)
  expect(await read()).toMatchObject({ ...nothing, failure_code: 'payment_disputed' })
  expect(await documentsOf(ana.id)).toEqual([])
  await told('lost', 2050, of)
  await requestForgotten(paymentScope)
  await workOff()
  expect(await read()).toMatchObject({ ...booked, gross: '40.00' })
  expect(await booksOf(ana.id)).toMatchObject({ balance: 33.06, provider: 40, debts: 0 })
  // Another decision about money that the books never had needs a person.
  expect(await alertsOf(id)).toEqual([])
  await told('won', 2050, of)
  expect(await alertsOf(id)).toEqual(['dispute_differs'])
  expect(await booksOf(ana.id)).toMatchObject({ balance: 33.06, provider: 40 })
})

test('money that a bank took back whole is booked only when it is won', async () => {
  const { ana, id, read, of } = await arrivedLate()
  await told('lost', 6050, of)
  await change(ana.id, 'USD')
  await look(id)
  expect(await read()).toMatchObject({ ...nothing, failure_code: 'payment_returned' })
  await told('won', 6050, of)
  await requestForgotten(paymentScope)
  await workOff()
  expect(await read()).toMatchObject({ ...booked, gross: '60.50' })
  expect(await booksOf(ana.id)).toMatchObject({ balance: 50, provider: 60.5 })
})

test('money that a client is given back while its account is still in another currency', async () => {
  const { ana, id, ref, read, says } = await arrivedLate()
  stripe.giveBack(ref, 50)
  await says('charge.refunded', { id: 'ch_1', payment_intent: ref })
  expect(await read()).toMatchObject({ ...nothing, failure_code: 'currency_changed' })
  const { rows } =
    await sql`select detail->>'received' as received from staff_alerts where payment_id = ${id}`.execute(db)
  expect(rows).toEqual([{ received: '60.00 USD' }])
  expect(await documentsOf(ana.id)).toEqual([])
})

for (const isKnown of [true, false])
  test(`what a bank took back is taken once when its message comes later, ${isKnown ? 'decided' : 'queued'}`, async () => {
    const { ana, id, read, of } = await arrivedLate()
    if (isKnown) await told('needs_response', 2050, of)
    await change(ana.id, 'USD')
    decided('lost', 2050, of)
    await look(id)
    const books = { balance: 33.06, provider: 40, debts: 0 }
    expect(await read()).toMatchObject({ ...booked, gross: '40.00' })
    expect(await booksOf(ana.id)).toMatchObject(books)
    await told('lost', 2050, of)
    expect(await booksOf(ana.id)).toMatchObject(books)
    expect(await alertsOf(id)).toEqual([])
  })

test('what a bank gave back is booked before its message comes, which is no alert then', async () => {
  const { ana, id, read, of } = await arrivedLate()
  await told('lost', 2050, of)
  await change(ana.id, 'USD')
  decided('won', 2050, of)
  await look(id)
  expect(await read()).toMatchObject({ ...booked, gross: '60.50' })
  await told('won', 2050, of)
  expect(await alertsOf(id)).toEqual([])
  await told('lost', 2050, of)
  expect(await booksOf(ana.id)).toMatchObject({ balance: 33.06, provider: 40, debts: 0 })
})

for (const [before, after, gross] of [
  ['lost', 'won', '60.50'],
  ['won', 'lost', '40.00'],
] as const)
  test(`a dispute that is ${after} between the answer and the booking is left to the next look`, async () => {
    const { ana, id, read, of } = await arrivedLate()
    await told(before, 2050, of)
    await change(ana.id, 'USD')
    const lists = /^GET \/v1\/disputes$/
    stripe.interruptNext(lists, () => undefined)
    stripe.interruptNext(lists, () =>
      processEvent(paymentScope, {
        provider: 'stripe',
        about: 'dispute',
        objectRef: decided(after, 2050, of),
      }),
    )
    await look(id)
    expect(await read()).toMatchObject({ ...nothing, failure_code: 'payment_disputed' })
    await look(id)
    expect(await read()).toMatchObject({ ...booked, gross })
    await told(after, 2050, of)
    expect(await alertsOf(id)).toEqual([])
    expect(await booksOf(ana.id)).toMatchObject({ provider: Number(gross) })
  })

test('the message of a dispute about a payment that is still open is read again once it is settled', async () => {
  const { ana, ref, read, of } = await begun()
  stripe.decide(ref, 'succeeded')
  const message = { provider: 'stripe', about: 'dispute', objectRef: decided('lost', 2050, of) } as const
  await expect(processEvent(paymentScope, message)).rejects.toThrow('is still open')
  await processEvent(paymentScope, { provider: 'stripe', about: 'payment', objectRef: ref })
  await processEvent(paymentScope, message)
  expect(await read()).toMatchObject({ status: 'disputed', gross: '60.50' })
  expect(await booksOf(ana.id)).toMatchObject({ balance: 33.06, provider: 40 })
})

test('a dispute of the whole charge takes all that was booked of it, and the rest is alerted', async () => {
  const { ana, id, ref, says, of } = await arrivedLate()
  stripe.giveBack(ref, 2050)
  await change(ana.id, 'USD')
  await says('charge.refunded', { id: 'ch_1', payment_intent: ref })
  await told('lost', 6050, of)
  expect(await booksOf(ana.id)).toMatchObject({ balance: 0, provider: 0, debts: 0 })
  const { rows } = await sql`select detail from staff_alerts
    where payment_id = ${id} and kind = 'dispute_differs'`.execute(db)
  expect(rows).toMatchObject([{ detail: { amount: '60.50', currency: 'USD', above: '20.50' } }])
  await told('won', 6050, of)
  expect(await booksOf(ana.id)).toMatchObject({ balance: 33.06, provider: 40 })
})

test('the payment has the net and VAT of its invoice, to the cent', async () => {
  const { ana, ref, read, says } = await arrivedLate(50.02)
  stripe.giveBack(ref, 3652)
  await change(ana.id, 'USD')
  await says('charge.refunded', { id: 'ch_1', payment_intent: ref })
  expect(await read()).toMatchObject({ ...booked, gross: '24.00', net: '19.83', vat: '4.17' })
  expect(await documentsOf(ana.id)).toEqual([{ tax_point_date: paidDay, net: '19.83', vat: '4.17' }])
})

test('money whose booking fails is not asked about each minute', async () => {
  const { ana, id, of } = await arrivedLate()
  await change(ana.id, 'USD')
  const seen = () =>
    sql<{ looks: number; later: boolean }>`select looks, next_look_at > now() as later from payments
      where id = ${of.id}`.execute(db)
  const [before] = (await seen()).rows
  await requestForgotten(paymentScope)
  expect((await seen()).rows).toEqual([{ looks: Number(before?.looks) + 1, later: true }])
  await look(id)
})

import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { pollPayments, processEvent } from '#money/payments/inbox.ts'
import type { PaymentScope } from '#money/payments/payment-scope.ts'
import { advancePayment, applySeen } from '#money/payments/payments.ts'
import type { ProviderPayment } from '#money/payments/providers/payment-provider.ts'
import { reconcile } from '#money/payments/reconcile.ts'
import { sendRefund } from '#money/payments/refunds/refunds.ts'
import { settlePayment } from '#money/payments/settle-payment.ts'
import { newPayment } from '#money/payments/start-payment.ts'
import type { Account } from './support/account.ts'
import { keyed, makePayer, pay, requestCard } from './support/card.ts'
import { type CardKind, StripeServer } from './support/stripe.ts'
import { stripePortal } from './support/stripe-portal.ts'

// Payments by Stripe, from the browser's request to the books, with a Stripe that fails in every way that counts.

const { stripe, payments, portal, db, paymentScope, addCard, deliver, workOff } = await stripePortal(16)
const { patienceMs } = payments
let ana: Account

beforeEach(async () => {
  ana = await makePayer(portal)
})

const stripeCard = (kind: CardKind = 'ok', client: Account = ana) => addCard(client, kind)

async function paymentOf(client: Account = ana) {
  return db.selectFrom('payments').selectAll().where('client_id', '=', client.id).executeTakeFirstOrThrow()
}

/** A payment of 50 that is written down, before Stripe is asked. */
async function begun(): Promise<number> {
  const card = await stripeCard()
  const actor = { id: ana.id, owners: () => [ana.id] } as never // The only parts of the actor that paying uses.
  return paymentScope.within(async (tx) => {
    const sent = { purpose: 'deposit', net: 50 }
    const row = await newPayment({ tx, actor, sent, related: { card: { id: card } } })
    const made = tx.insertInto('payments').values({ ...row, purpose: 'deposit' })
    return (await made.returning('id').executeTakeFirstOrThrow()).id
  })
}

async function balanceOf(client: Account = ana): Promise<string> {
  const { rows } = await sql<{ balance: string }>`select trim_scale(account_balance)::text as balance
    from account_balances where client_id = ${client.id}`.execute(db)
  return rows[0]?.balance ?? ''
}

/** Time passes for the poller: everything that is open is due. */
const due = () => sql`update payments set next_look_at = now() where next_look_at is not null`.execute(db)

async function poll(): Promise<void> {
  await due()
  await pollPayments(paymentScope)
}

test('a card is charged, and every call carries a key that its row decides, for the pinned version', async () => {
  await stripeCard()
  const from = stripe.requests.length
  const paid = await pay(portal.as(ana), { net: 50 })
  expect(paid.one.attributes).toMatchObject({ status: 'succeeded', gross: 60.5 })
  expect(await balanceOf()).toBe('50')
  const { id, provider_ref } = await paymentOf()
  const [call] = stripe.requests.slice(from)
  expect(call).toMatchObject({
    path: '/v1/payment_intents',
    key: `pay:${id}`,
    version: '2026-10-28.endive',
    fields: { amount: '6050', currency: 'usd', confirm: 'true', 'metadata[payment_id]': String(id) },
  })
  expect(call?.fields).not.toHaveProperty('off_session')
  expect(stripe.charges(id).map((one) => one.id)).toEqual([provider_ref])
})

test.each([
  ['decline', 'failed', 'card_declined'],
  ['sca', 'requires_action', null],
] as const)('%s is an answer, not an error: %s', async (kind, status, code) => {
  await stripeCard(kind)
  const begun = await pay(portal.as(ana), { net: 20 })
  expect([begun.status, begun.one.attributes]).toMatchObject([201, { status, failure_code: code }])
  const secret = begun.one.attributes?.client_secret
  expect(secret === null).toBe(kind === 'decline')
  const notices = await portal.as(ana).get(`${base}/notifications`)
  expect(notices.list.map(({ attributes }) => [attributes?.kind, attributes?.params])).toEqual(
    kind === 'decline' ? [['payment_failed', { amount: '$24.20' }]] : [],
  )
  if (kind === 'decline') return
  stripe.decide(String((await paymentOf()).provider_ref), 'succeeded')
  const url = `${base}/transactions/${begun.one.id}/-actions/confirm`
  expect(JSON.parse((await portal.as(ana).post(url, {})).text)).toMatchObject({ status: 'succeeded' })
  expect(await balanceOf()).toBe('20')
})

describe('when the answer is lost', () => {
  test.each([
    ['reset_after', ['reset_after', 'reset_after'], 1],
    ['500_after', ['500_after', '500_after'], 1],
    ['reset_before', ['reset_before', 'reset_before'], 0],
  ] as const)(
    '%s: the outcome is shown as unknown, then known, and no payer is charged twice',
    async (_, faults, charged) => {
      await stripeCard()
      stripe.failNext(/POST \/v1\/payment_intents$/, ...faults)
      const begun = await pay(portal.as(ana), { net: 50 })
      expect([begun.status, begun.one.attributes]).toMatchObject([
        201,
        { status: 'processing', failure_code: 'outcome_unknown' },
      ])
      const { id } = await paymentOf()
      expect(stripe.charges(id)).toHaveLength(charged)
      // It cannot be given up while it may have been charged.
      const canceled = await portal.as(ana).post(`${base}/transactions/${id}/-actions/cancel`, {})
      expect(canceled.status).toBe(409)
      await poll()
      expect(await paymentOf()).toMatchObject({ status: 'succeeded', failure_code: null })
      expect(stripe.charges(id)).toHaveLength(1)
      expect(await balanceOf()).toBe('50')
      await poll()
      expect(await balanceOf()).toBe('50')
    },
  )

  test('a process that dies between the charge and our commit leaves what the poller settles', async () => {
    const id = await begun()
    // From the moment that Stripe is asked nothing is written any more.
    const calls = () => stripe.charges(id).length
    const dying: PaymentScope = {
      ...paymentScope,
      within: (work) => (calls() > 0 ? Promise.reject(new Error('killed')) : paymentScope.within(work)),
    }
    await expect(advancePayment(dying, id)).rejects.toThrow('killed')
    expect(await paymentOf()).toMatchObject({ status: 'created', provider_ref: null })
    expect([calls(), await balanceOf()]).toEqual([1, '0'])
    await due()
    await Promise.all(Array.from({ length: 4 }, () => pollPayments(paymentScope)))
    expect([calls(), await balanceOf()]).toEqual([1, '50'])
    expect(await paymentOf()).toMatchObject({ status: 'succeeded' })
  })

  test('a slow provider: the state is unknown, giving up waits, and it is known later', async () => {
    await stripeCard('sca')
    payments.patienceMs = 150
    stripe.failNext(/POST \/v1\/payment_intents$/, 'timeout_before')
    const begun = await pay(portal.as(ana), { net: 50 })
    const { id } = await paymentOf()
    payments.patienceMs = patienceMs
    expect([begun.status, begun.one.attributes]).toMatchObject([
      201,
      { status: 'processing', failure_code: 'outcome_unknown', client_secret: null },
    ])
    await poll()
    const url = `${base}/transactions/${id}/-actions`
    expect(await paymentOf()).toMatchObject({ status: 'requires_action', failure_code: null })
    payments.patienceMs = 150
    stripe.failNext(/POST \/v1\/payment_intents\/\w+\/cancel$/, 'timeout_before')
    const late = await portal.as(ana).post(`${url}/cancel`, {})
    payments.patienceMs = patienceMs
    expect([late.status, late.errors[0]?.code]).toEqual([502, 'provider_unavailable'])
    expect((await portal.as(ana).post(`${url}/cancel`, {})).status).toBe(200)
    expect(stripe.charges(id)).toHaveLength(1)
  })

  test('after a day only looking is safe: it is found by what it is for, or was never charged', async () => {
    await stripeCard()
    stripe.failNext(/POST \/v1\/payment_intents$/, 'reset_after', 'reset_after')
    await pay(portal.as(ana), { net: 50 })
    await sql`update payments set begun_at = now() - interval '25 hours'`.execute(db)
    const from = stripe.requests.length
    await poll()
    expect(stripe.requests.slice(from).map(({ path }) => path)).toEqual(['/v1/payment_intents/search'])
    expect(await balanceOf()).toBe('50')
    const ion = await makePayer(portal)
    await stripeCard('ok', ion)
    stripe.failNext(/POST \/v1\/payment_intents$/, 'reset_before', 'reset_before')
    await pay(portal.as(ion), { net: 50 })
    await sql`update payments set begun_at = now() - interval '25 hours' where client_id = ${ion.id}`.execute(
      db,
    )
    await poll()
    expect(await paymentOf(ion)).toMatchObject({ status: 'failed', failure_code: 'never_charged' })
    expect(await balanceOf(ion)).toBe('0')
  })
})

describe('messages', () => {
  test.each([
    ['none', () => ''],
    [
      'another secret',
      () => stripe.event('payment_intent.succeeded', { id: 'pi_1' }, { secret: 'whsec_x' }).signature,
    ],
    [
      'too old',
      () => stripe.event('x', { id: 'pi_1' }, { at: Math.floor(Date.now() / 1000) - 400 }).signature,
    ],
    ['garbage', () => 't=1,v1=zz'],
    ['of another body', () => stripe.event('x', { id: 'pi_2' }).signature],
    ['without a time', () => 'v1=00'],
  ])('with a signature that is %s are refused before they are read', async (_, signature) => {
    const event = stripe.event('payment_intent.succeeded', { id: 'pi_1' })
    expect(await deliver(event, signature())).toBe(401)
    const { rows } = await sql`select from payment_events where object_ref = 'pi_1'`.execute(db)
    expect(rows).toEqual([])
  })

  test.each([
    ['no JSON', 'x'.repeat(1000), 401],
    ['a megabyte', 'x'.repeat(1_048_577), 413],
    ['deep JSON', '['.repeat(100_000), 401],
  ])('of %s are refused quickly, well signed for others or not', async (_, body, status) => {
    const { signature } = stripe.event('x', { id: 'pi_2' })
    const begun = performance.now()
    expect(await deliver({ body, signature })).toBe(status)
    expect(await deliver({ body, signature: 't=1,v1=00' })).toBe(401)
    expect(performance.now() - begun).toBeLessThan(3000)
  })

  test('whose headers cannot be genuine are refused before a body comes', async () => {
    const { port } = new URL(await portal.listen())
    const socket = net.connect(Number(port), '127.0.0.1')
    socket.write('POST /webhooks/stripe HTTP/1.1\r\nhost: x\r\ncontent-length: 500000\r\n\r\n')
    const [answer] = await once(socket, 'data')
    socket.destroy()
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /)
  })

  test('are believed while one secret is exchanged for another', async () => {
    const event = stripe.event('customer.created', { id: 'cus_1' }, { secret: StripeServer.olderSecret })
    expect(await deliver(event)).toBe(200)
  })

  test('200 copies in random order over 10 payments are 10 effects', async () => {
    await stripeCard('sca')
    const me = portal.as(ana)
    const refs: string[] = []
    for (let n = 0; n < 10; n++) {
      const begun = await pay(me, { net: 10 })
      const { provider_ref } = await db
        .selectFrom('payments')
        .select('provider_ref')
        .where('id', '=', Number(begun.one.id))
        .executeTakeFirstOrThrow()
      refs.push(String(provider_ref))
      stripe.decide(String(provider_ref), 'succeeded')
    }
    const types = ['requires_action', 'processing', 'payment_failed', 'succeeded']
    const events = refs.flatMap((ref) =>
      types.map((type) => stripe.event(`payment_intent.${type}`, { id: ref }, { id: `evt_${ref}_${type}` })),
    )
    const copies = events.flatMap((event) => Array.from({ length: 5 }, () => event))
    copies.sort(() => randomInt(3) - 1)
    for (let at = 0; at < copies.length; at += 20) {
      const statuses = await Promise.all(copies.slice(at, at + 20).map((event) => deliver(event)))
      expect(new Set(statuses)).toEqual(new Set([200]))
      await workOff()
    }
    await workOff()
    expect(await balanceOf()).toBe('100')
    const { rows } = await sql<{ events: number; invoices: number }>`
      select (select count(*)::int from payment_events where event_id like 'evt\\_pi%') as events,
        (select count(*)::int from invoices where client_id = ${ana.id} and kind = 'fiscal') as invoices`.execute(
      db,
    )
    expect(rows).toEqual([{ events: 40, invoices: 10 }])
  })

  test('that arrive before the answer of the call lead to the same result', async () => {
    await stripeCard()
    stripe.failNext(/POST \/v1\/payment_intents$/, '500_after', '500_after')
    await pay(portal.as(ana), { net: 50 })
    const { id } = await paymentOf()
    await sql`update payments set begun_at = now() - interval '1 minute' where id = ${id}`.execute(db)
    const [charge] = stripe.charges(id)
    expect(await deliver(stripe.event('payment_intent.succeeded', { id: charge?.id }))).toBe(200)
    await workOff()
    expect(await paymentOf()).toMatchObject({ status: 'succeeded', provider_ref: charge?.id })
    await poll()
    expect(await balanceOf()).toBe('50')
  })
})

describe('settling', () => {
  const seenOf = async (more: Partial<ProviderPayment> = {}): Promise<ProviderPayment> => ({
    ref: String((await paymentOf()).provider_ref),
    status: 'succeeded',
    amount: '60.50',
    amountReceived: '60.50',
    currency: 'USD',
    failureCode: null,
    failureMessage: null,
    clientSecret: null,
    challengeUrl: null,
    holding: { left: '60.50', isDisputed: false, disputes: [], receivedAt: null },
    ...more,
  })

  test('a payment is settled once by concurrent callers', async () => {
    await stripeCard('sca')
    await pay(portal.as(ana), { net: 50 })
    const { id, provider_ref } = await paymentOf()
    stripe.decide(String(provider_ref), 'succeeded')
    const seen = await seenOf()
    const settled = await Promise.all([
      ...Array.from({ length: 4 }, () => settlePayment(paymentScope, id, seen)),
      portal
        .as(ana)
        .post(`${base}/transactions/${id}/-actions/confirm`, {})
        .then(() => false),
      poll().then(() => false),
    ])
    expect(settled.filter(Boolean).length).toBeLessThanOrEqual(1)
    expect(await balanceOf()).toBe('50')
    const { rows } = await sql`select from invoices where client_id = ${ana.id} and kind = 'fiscal'`.execute(
      db,
    )
    expect(rows).toHaveLength(1)
    // Late events do not change a settled payment.
    for (const status of ['requires_action', 'failed', 'canceled', 'processing'] as const)
      await applySeen(paymentScope, id, await seenOf({ status }))
    expect(await paymentOf()).toMatchObject({ status: 'succeeded' })
  })

  test.each([{ amountReceived: '60.49' }, { amountReceived: '605.00' }, { currency: 'EUR' }])(
    'nothing is settled for %j, and staff are alerted once',
    async (more) => {
      await stripeCard('sca')
      await pay(portal.as(ana), { net: 50 })
      const { id } = await paymentOf()
      await settlePayment(paymentScope, id, await seenOf(more))
      await settlePayment(paymentScope, id, await seenOf(more))
      expect(await balanceOf()).toBe('0')
      expect(await paymentOf()).toMatchObject({ failure_code: 'amount_differs', settled_at: null })
      const { rows } = await sql<{
        kind: string
      }>`select kind from staff_alerts where payment_id = ${id}`.execute(db)
      expect(rows).toEqual([{ kind: 'amount_differs' }])
    },
  )

  test('money that comes after a refusal is taken after all', async () => {
    await stripeCard('sca')
    await pay(portal.as(ana), { net: 50 })
    const { id, provider_ref } = await paymentOf()
    stripe.decide(String(provider_ref), 'requires_payment_method')
    await poll()
    expect(await paymentOf()).toMatchObject({ status: 'failed', failure_code: 'card_declined' })
    stripe.decide(String(provider_ref), 'succeeded')
    await deliver(stripe.event('payment_intent.succeeded', { id: provider_ref }))
    await workOff()
    expect(await paymentOf()).toMatchObject({ id, status: 'succeeded' })
    expect(await balanceOf()).toBe('50')
  })

  test('50 top-ups, seven at once, are 50 numbers without a gap, and the right balance', async () => {
    await stripeCard()
    const me = portal.as(ana)
    // A card that was never charged is not charged so often at once.
    await pay(me, { net: 10 })
    // Each holds one of the 16 connections while it waits for the others of its account.
    for (let n = 0; n < 7; n++) await Promise.all(Array.from({ length: 7 }, () => pay(me, { net: 10 })))
    // A request that waits too long is answered before the outcome is known.
    const balance = () => poll().then(() => balanceOf())
    await expect.poll(balance, { timeout: 15_000 }).toBe('500')
    const { rows } = await sql<{ numbers: number; spread: number }>`
      select count(distinct number)::int as numbers, (max(number) - min(number) + 1)::int as spread
      from invoices where client_id = ${ana.id} and kind = 'fiscal'`.execute(db)
    expect(rows).toEqual([{ numbers: 50, spread: 50 }])
  })
})

test("Stripe's transactions are compared with the ledger each day, and a difference alerts staff", async () => {
  const sentences: string[] = []
  const compare = () => reconcile(paymentScope, (sentence) => sentences.push(sentence))
  // The discrepancies that earlier tests left: unrecorded charges, and charges of another amount.
  const before = await compare()
  await stripeCard()
  const paid = await pay(portal.as(ana), { net: 50 })
  const { id, provider_ref } = await paymentOf()
  const url = `${base}/transactions/${id}/-actions/refund`
  await keyed(portal.as(ana), url, { reason: 'Not needed', amount: 10 })
  const { rows } = await sql<{ id: number }>`select id from payment_refunds where payment_id = ${id}`.execute(
    db,
  )
  await sendRefund(paymentScope, rows[0]?.id ?? 0)
  expect(paid.one.attributes).toMatchObject({ status: 'succeeded' })
  expect(await compare()).toBe(before)
  // A payment that was changed at Stripe, and a charge that the portal did not request.
  const theirs = stripe.things.get(String(provider_ref))
  Object.assign(theirs ?? {}, { amount_received: 6000 })
  stripe.things.set('pi_stranger', { ...theirs, id: 'pi_stranger', metadata: {}, amount_received: 777 })
  sentences.length = 0
  expect(await compare()).toBe(before + 2)
  expect(sentences).toContain(`charge ${provider_ref}: stripe has 60.00 USD, the books have 60.50 USD`)
  expect(sentences).toContain('charge pi_stranger: stripe has 7.77 USD, the books have nothing')
  // A payment that is no longer listed is looked up by id, and is then reported as missing.
  stripe.things.delete('pi_stranger')
  stripe.things.delete(String(provider_ref))
  await sql`update payments set begun_at = now() - interval '1 hour' where id = ${id}`.execute(db)
  sentences.length = 0
  await compare()
  expect(sentences).toContain(`charge ${provider_ref}: stripe has nothing, the books have 60.50 USD`)
  const alerts = await db.selectFrom('staff_alerts').select('kind').where('payment_id', '=', id).execute()
  expect(alerts).toEqual([{ kind: 'reconciliation_charge' }])
})

test('a form that is opened twice is one request at Stripe; what is sent again after a crash goes on', async () => {
  const key = randomUUID()
  const me = portal.as(ana)
  stripe.failNext(/POST \/v1\/setup_intents$/, '500_after', '500_after')
  const lost = await requestCard(me, {}, key)
  expect([lost.status, lost.errors[0]?.code]).toEqual([502, 'provider_unavailable'])
  const again = await requestCard(me, {}, key)
  expect(again.status).toBe(201)
  expect((await me.get(`${base}/stripe-setup-intents`)).page.total).toBe(1)
  const asked = stripe.requests.filter(({ key: one }) => one === `setup:${again.one.id}`)
  expect(asked.length).toBeGreaterThan(1)
  expect(again.one.attributes?.client_secret).toBe(
    [...stripe.things.values()].find(({ id }) => id === again.one.attributes?.provider_ref)?.client_secret,
  )
})

test('a card whose browser is closed is there by Stripe’s message, once, though the browser comes back', async () => {
  const me = portal.as(ana)
  const cards = async () => (await me.get(`${base}/cards`)).list.map(({ id }) => Number(id))
  const begin = async (number: string) => {
    const { id, attributes } = (await requestCard(me)).one
    const ref = String(attributes?.provider_ref)
    stripe.fillIn(ref, 'ok', number)
    expect(await deliver(stripe.event('setup_intent.succeeded', { id: ref }))).toBe(200)
    return { ref, confirm: () => me.post(`${base}/stripe-setup-intents/${id}/-actions/confirm`, {}) }
  }
  const left = await begin('1111')
  expect(await cards()).toEqual([])
  await workOff()
  const [card, ...others] = await cards()
  expect([card, others]).toEqual([expect.any(Number), []])
  expect(await deliver(stripe.event('setup_intent.succeeded', { id: left.ref }))).toBe(200)
  await workOff()
  const back = await left.confirm()
  expect(JSON.parse(back.text)).toMatchObject({ status: 'succeeded', card_id: card })
  expect(await cards()).toEqual([card])

  const both = await begin('2222')
  const [, first, second] = await Promise.all([workOff(), both.confirm(), both.confirm()])
  expect(await cards()).toHaveLength(2)
  expect(await cards()).toContain(JSON.parse(first.text).card_id)
  expect(JSON.parse(second.text)).toEqual(JSON.parse(first.text))
})

test('the server logged no bug', () => {
  expect(portal.bugs.filter(({ name }) => name !== 'Problem')).toEqual([])
})

test.each([1, 2, 3, 4])(
  'a payment that is settled after transaction %i of reading a message about it is no unknown one',
  async (settledAfter) => {
    const id = await begun()
    const seen = { ref: `pi_between_${id}`, amountReceived: '60.50', currency: 'USD' }
    let transactions = 0
    const interrupted: PaymentScope = {
      ...paymentScope,
      within: async (work) => {
        const outcome = await paymentScope.within(work)
        if (++transactions === settledAfter) await settlePayment(paymentScope, id, seen)
        return outcome
      },
    }
    await processEvent(interrupted, { provider: 'stripe', about: 'payment', objectRef: seen.ref })
    expect(transactions).toBeGreaterThanOrEqual(settledAfter)
    expect(await paymentOf()).toMatchObject({ status: 'succeeded', provider_ref: seen.ref })
    const alert = db.selectFrom('staff_alerts').select('id').where('about', '=', `stripe ${seen.ref}`)
    expect(await alert.execute()).toEqual([])
  },
)

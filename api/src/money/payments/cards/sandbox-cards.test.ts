import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { processEvent } from '#money/payments/inbox.ts'
import { paymentScopeOn } from '#money/payments/payment-scope.ts'
import { advancePayment } from '#money/payments/payments.ts'
import { deliverSandbox } from '#money/payments/providers/sandbox/sandbox-store.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, answerBank, makePayer, pay, requestCard, typeCard } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { testVault } from '#test/support/mail.ts'
import { booksOf } from '#test/support/money.ts'
import { testPortal } from '#test/support/portal.ts'

// The numbers of cards of the sandbox: what is kept of each, and what it answers when it is charged.

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const paymentScope = paymentScopeOn({ pool, vault: testVault, payments: portal.payments })
let ana: Account

beforeAll(() => makeOperator(pool))
beforeEach(async () => {
  ana = await makePayer(portal)
})

test.each([
  ['4000 0000 0000 0341', 'card_declined'],
  ['4000 0000 0000 3220', null],
])('%s saves and then answers %s', async (number, failure) => {
  const me = portal.as(ana)
  const card = await addCard(portal, ana, number)
  const begun = await pay(me, { net: 20 }, { card })
  expect(begun.one.attributes).toMatchObject({
    status: failure ? 'failed' : 'processing',
    failure_code: failure,
  })
  expect(await booksOf(db, ana)).toMatchObject({ entries: 0 })
  portal.clock.time = new Date(Date.now() + 61_000)
  await advancePayment(paymentScope, Number(begun.one.id))
  portal.clock.time = undefined
  expect(await booksOf(db, ana)).toMatchObject({ entries: failure ? 0 : 1 })
})

test.each([
  ['4000 0000 0000 0002', 'card_declined'],
  ['4000 0000 0000 9995', 'insufficient_funds'],
  ['4000 0000 0000 0069', 'expired_card'],
])('%s is not kept: %s', async (number, reason) => {
  const me = portal.as(ana)
  const setup = await requestCard(me)
  expect(await typeCard(portal, setup, number)).toMatchObject({ json: { status: 'failed' } })
  const confirmed = await me.post(`${base}/stripe-setup-intents/${setup.one.id}/-actions/confirm`, {})
  expect([confirmed.status, confirmed.errors[0]]).toMatchObject([
    402,
    { code: 'payment_failed', meta: { reason } },
  ])
  expect((await me.get(`${base}/cards`)).page.total).toBe(0)
})

test.each([
  [{ number: '4242' }, 'card_number_invalid'],
  [{ number: '4242 4242 4242 424x' }, 'card_number_invalid'],
  [{ expiry: '13/40' }, 'card_expiry_invalid'],
  [{ cvc: '12' }, 'card_cvc_invalid'],
])('the form of the sandbox refuses %j at its field', async (wrong, code) => {
  const { provider_ref, client_secret } = (await requestCard(portal.as(ana))).one.attributes ?? {}
  const answer = await portal.app.inject({
    method: 'POST',
    url: `/api/sandbox/setup-intents/${String(provider_ref)}/card`,
    payload: { client_secret, number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123', ...wrong },
  })
  const { errors } = answer.json()
  const pointer = `/${Object.keys(wrong).join()}`
  expect([answer.statusCode, errors[0].code, errors[0].source]).toEqual([422, code, { pointer }])
})

test('a card that can no longer be charged is not made the default one, by any way', async () => {
  const me = portal.as(ana)
  await addCard(portal, ana)
  const expired = await addCard(portal, ana, '4000 0025 0000 3155')
  await sql`update cards set status = 'expired' where id = ${expired}`.execute(db)
  const attributes = { is_default: true }
  for (const answer of [
    await me.post(`${base}/cards/${expired}/-actions/setDefault`, {}),
    await me.patch(`${base}/cards/${expired}`, { data: { type: 'cards', id: String(expired), attributes } }),
  ])
    expect([answer.status, answer.errors[0]?.code]).toEqual([409, 'card_not_chargeable'])
  expect((await me.get(`${base}/cards/${expired}`)).one.attributes?.is_default).toBe(false)
})

/** The queued jobs of the sandbox about an object. */
async function queued<Payload>(task: string, ref: string): Promise<Payload[]> {
  const { rows } = await sql<{ payload: Payload }>`
    select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = ${task} and ${ref} in (payload ->> 'ref', payload ->> 'objectRef')`.execute(db)
  return rows.map(({ payload }) => payload)
}

test("the sandbox's message adds a card once, also when the browser was closed and returns", async () => {
  const me = portal.as(ana)
  const cards = async () => (await me.get(`${base}/cards`)).list.map(({ id }) => Number(id))
  const setup = await requestCard(me)
  const ref = String(setup.one.attributes?.provider_ref)
  const typed = await typeCard(portal, setup, '4000 0027 6000 3184')
  await answerBank(portal, typed.json.challenge_url, 'yes')
  const messages = await queued<Parameters<typeof deliverSandbox>[1]>('sandbox.deliver', ref)
  for (const message of messages) await deliverSandbox(paymentScope, message)
  expect(await cards()).toEqual([])
  const [event, ...others] = await queued<Parameters<typeof processEvent>[1]>('payment.event', ref)
  if (!event) throw new Error('The message was not taken.')
  expect(others).toEqual([])
  await Promise.all([processEvent(paymentScope, event), processEvent(paymentScope, event)])
  const [card, ...more] = await cards()
  expect([card, more]).toEqual([expect.any(Number), []])
  const back = await me.post(`${base}/stripe-setup-intents/${setup.one.id}/-actions/confirm`, {})
  expect(JSON.parse(back.text)).toMatchObject({ status: 'succeeded', card_id: card })
  expect(await cards()).toEqual([card])
})

test('a number that is not listed is refused, and kept nowhere', async () => {
  const setup = await requestCard(portal.as(ana))
  const real = '4111111111111111'
  const typed = await typeCard(portal, setup, real)
  expect([typed.status, JSON.stringify(typed.json)]).toEqual([
    422,
    expect.stringContaining('card_not_listed'),
  ])
  const { rows } = await sql<{
    all: string
  }>`select coalesce(string_agg(body::text, ''), '') as all from sandbox_objects`.execute(db)
  expect(rows[0]?.all).not.toContain(real)
  const forged = { one: { attributes: { ...setup.one.attributes, client_secret: 'guessed' } } }
  expect((await typeCard(portal, { ...setup, ...forged } as never, '4242424242424242')).status).toBe(404) // Only what is read of it.
})

test('the server logged no bug', () => {
  expect(portal.bugs).toEqual([])
})

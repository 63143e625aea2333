import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { setOffAllDebts } from '#money/payments/disputes/debts.ts'
import { sendRefund } from '#money/payments/refunds/refunds.ts'
import type { Account } from '#test/support/account.ts'
import { keyed, makePayer, pay } from '#test/support/card.ts'
import { beginWithCard, disputesOn } from '#test/support/disputes.ts'
import type { Visitor } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// Staff forgive what a client owes because money went back twice. The client never gets the money and the loss.

const parts = await stripePortal()
const { portal, db, stripe, deliver, workOff, paymentScope } = parts
const disputes = disputesOn(parts)
const iban = 'RO49 AAAA 1B31 0075 9384 0000'
let ana: Account
let admin: Visitor
let paid: Awaited<ReturnType<typeof disputes.payments>>[number]

const newest = async () => {
  const payment = (await disputes.payments(ana.id)).at(-1)
  if (!payment) throw new Error('Nothing was paid.')
  return payment
}

/** A deposit of 50 and 10.50 VAT by card. */
beforeEach(async () => {
  ;({ ana, admin } = await beginWithCard(parts))
  await pay(portal.as(ana), { net: 50 })
  paid = await newest()
})

const on = (verb: string, input: object, id = paid.id, who = admin) =>
  keyed(who, `${base}/transactions/${id}/-actions/${verb}`, input)
const writeOff = (id = paid.id, who = admin) => on('writeOffDebt', {}, id, who)
const told = (status: 'lost' | 'won', amount = 6050, of = paid, name = '') =>
  disputes.told(status, amount, of, name)
const state = () => disputes.booksOf(ana.id)
const alerts = (id = paid.id) => disputes.alertsOf(id)

/** Staff send a part of the payment, or all of it, to a bank account. */
async function sent(amount?: number) {
  const asked = await on('refund', { reason: 'Card is gone', iban, ...(amount && { amount }) })
  const { refund_id } = JSON.parse(asked.text)
  const answer = await on('recordSentTransfer', { refund_id, sent_on: '2026-10-03', reference: 'OUT' })
  expect(answer.status).toBe(200)
}

async function deposited(net: number) {
  await pay(portal.as(ana), { net })
  await setOffAllDebts(paymentScope)
  await setOffAllDebts(paymentScope)
  return newest()
}

/** The amount in the open alert of a payment. */
async function alerted(id = paid.id) {
  const { rows } = await sql<{ amount: string }>`select detail ->> 'amount' as amount from staff_alerts
    where about = ${`payment ${id}`} and kind = 'dispute_debt' and resolved_at is null`.execute(db)
  return rows.map(({ amount }) => amount)
}

const nothing = { balance: 0, vat_due: 0, vat: 0, advances: 0, owed: 0 }
const forgiven = { ...nothing, loss: 60.5 }

test('what is forgiven is a loss until the dispute is won, and owed again when it is lost again', async () => {
  await sent()
  for (let round = 0; round < 2; round++) {
    await told('lost')
    expect(await state()).toMatchObject({ ...nothing, balance: -60.5, owed: 60.5, loss: 0, provider: 0 })
    expect((await portal.as(ana).get(`${base}/transactions/${paid.id}`)).one.attributes?.debt).toBe(60.5)
    expect(JSON.parse((await writeOff()).text)).toEqual({ written_off: 60.5 })
    expect(await state()).toMatchObject({ ...forgiven, provider: 0 })
    expect((await portal.as(ana).get(`${base}/transactions/${paid.id}`)).one.attributes?.debt).toBe(0)
    expect(await alerts()).toEqual([])
    await told('won')
    expect(await state()).toMatchObject({ ...nothing, loss: 0, provider: 60.5 })
  }
  await told('lost')
  expect(await state()).toMatchObject({ ...nothing, balance: -60.5, owed: 60.5, loss: 0 })
  expect(await alerts()).toEqual(['dispute_debt'])
})

test('a deposit after a debt was forgiven is a deposit, with its VAT', async () => {
  await sent()
  await told('lost')
  await writeOff()
  await deposited(100)
  expect(await state()).toMatchObject({ ...forgiven, balance: 100, vat: 21, advances: 100 })
})

test('of a debt that was set off in a part the rest is forgiven, and the set-off deposit comes back', async () => {
  await sent()
  await told('lost')
  expect(await alerted()).toEqual(['60.50 USD'])
  await deposited(20)
  expect(await alerted()).toEqual(['36.30 USD'])
  expect(JSON.parse((await writeOff()).text)).toEqual({ written_off: 36.3 })
  expect(await state()).toMatchObject({ ...nothing, loss: 36.3 })
  expect(await alerts()).toEqual([])
  await told('won')
  expect(await state()).toMatchObject({ balance: 20, vat: 4.2, advances: 20, loss: 0, owed: 0 })
})

test('a debt is forgiven once, also when two people do so at the same time', async () => {
  expect((await writeOff()).faults).toEqual(['409 debt_not_open'])
  await sent()
  await told('lost')
  const both = await Promise.all([writeOff(), writeOff()])
  expect(both.flatMap(({ faults }) => faults)).toEqual(['409 debt_not_open'])
  expect((await writeOff()).faults).toEqual(['409 debt_not_open'])
  expect(await state()).toMatchObject(forgiven)
})

test('a request to forgive that is sent again with its key answers as before and loses nothing more', async () => {
  await sent()
  await told('lost', 3000, paid, 'a')
  const again = () =>
    keyed(admin, `${base}/transactions/${paid.id}/-actions/writeOffDebt`, {}, `key-${paid.id}`)
  expect(JSON.parse((await again()).text)).toEqual({ written_off: 30 })
  await told('lost', 3050, paid, 'b')
  expect(JSON.parse((await again()).text)).toEqual({ written_off: 30 })
  expect(await state()).toMatchObject({ ...nothing, balance: -30.5, owed: 30.5, loss: 30 })
})

test('two debts of a payment are forgiven together, and each ends by itself', async () => {
  await sent()
  await told('lost', 3000, paid, 'a')
  await told('lost', 3050, paid, 'b')
  expect(JSON.parse((await writeOff()).text)).toEqual({ written_off: 60.5 })
  expect(await state()).toMatchObject({ ...forgiven, debts: 2 })
  await told('won', 3000, paid, 'a')
  expect(await state()).toMatchObject({ ...nothing, loss: 30.5 })
  await told('lost', 3000, paid, 'a')
  expect(await state()).toMatchObject({ ...nothing, balance: -30, owed: 30, loss: 30.5 })
  expect(await alerted()).toEqual(['30.00 USD'])
  expect(JSON.parse((await writeOff()).text)).toEqual({ written_off: 30 })
  await told('won', 3050, paid, 'b')
  await told('won', 3000, paid, 'a')
  expect(await state()).toMatchObject({ ...nothing, loss: 0, provider: 60.5 })
})

test('what another dispute gives back to the payment is set off before anything of it is forgiven', async () => {
  await sent(30)
  await told('lost', 3000, paid, 'a')
  await told('lost', 3050, paid, 'b')
  expect(await state()).toMatchObject({ ...nothing, balance: -36.3, owed: 36.3 })
  await writeOff()
  await told('won', 3000, paid, 'a')
  // The deposit of 24.20 that came back pays the other debt of 30.50, of which 6.30 stay forgiven.
  expect(await state()).toMatchObject({ ...nothing, loss: 6.3, provider: 30 })
  await told('lost', 3000, paid, 'a')
  await told('won', 3050, paid, 'b')
  await told('won', 3000, paid, 'a')
  expect(await state()).toMatchObject({ balance: 20, vat: 4.2, advances: 20, owed: 0, loss: 0 })
})

test('what another dispute gives back pays the open debts before the forgiven ones', async () => {
  const first = paid
  await sent()
  await pay(portal.as(ana), { net: 50 })
  paid = await newest()
  await sent(30)
  await told('lost', 2420, paid, 'b')
  await told('lost', 6050, first)
  await told('lost', 3630, paid, 'a')
  await writeOff()
  expect(await state()).toMatchObject({ ...nothing, balance: -60.5, owed: 60.5, loss: 36.3 })
  await told('won', 2420, paid, 'b')
  expect(await state()).toMatchObject({ ...nothing, balance: -36.3, owed: 36.3, loss: 36.3 })
  expect([await alerted(first.id), await alerted()]).toEqual([['36.30 USD'], []])
})

test('what comes back to a payment pays its forgiven debts once, whatever else the client paid since', async () => {
  await sent(30)
  await told('lost', 3000, paid, 'a')
  await told('lost', 1500, paid, 'b')
  await told('lost', 1550, paid, 'c')
  expect(JSON.parse((await writeOff()).text)).toEqual({ written_off: 36.3 })
  await deposited(20)
  await told('won', 3000, paid, 'a')
  // Of the deposit that came back, 24.20, the two other debts of 30.50 are paid; the later deposit stays.
  expect(await state()).toMatchObject({
    balance: 20,
    vat: 4.2,
    advances: 20,
    owed: 0,
    loss: 6.3,
    provider: 54.2,
  })
})

test('a deposit that comes back from a debt pays the forgiven debt of its own payment', async () => {
  await sent()
  await told('lost')
  const second = await deposited(50)
  await told('lost', 6050, second)
  expect(await state()).toMatchObject({ ...nothing, balance: -60.5, owed: 60.5, provider: 0 })
  expect((await writeOff()).faults).toEqual(['409 debt_not_open'])
  await writeOff(second.id)
  expect(await state()).toMatchObject(forgiven)
  await told('won')
  expect(await state()).toMatchObject({ ...nothing, loss: 0, provider: 60.5 })
  await told('won', 6050, second)
  expect(await state()).toMatchObject({ balance: 50, vat: 10.5, advances: 50, loss: 0, provider: 121 })
})

test('of two payments with a debt only the one is forgiven', async () => {
  await sent()
  const first = paid
  paid = await deposited(10)
  await sent()
  await told('lost', 6050, first)
  await told('lost', 1210)
  expect(await state()).toMatchObject({ ...nothing, balance: -72.6, owed: 72.6 })
  expect(JSON.parse((await writeOff()).text)).toEqual({ written_off: 12.1 })
  expect(await state()).toMatchObject({ ...nothing, balance: -60.5, owed: 60.5, loss: 12.1 })
  expect([await alerts(), await alerts(first.id)]).toEqual([[], ['dispute_debt']])
})

/** A refund to the card that Stripe has begun. */
async function begun(amount?: number): Promise<number> {
  stripe.refundsAre = 'pending'
  const { refund_id } = JSON.parse((await on('refund', { reason: 'Leaves', ...(amount && { amount }) })).text)
  await sendRefund(paymentScope, refund_id)
  stripe.refundsAre = 'succeeded'
  return refund_id
}

async function went(refundId: number) {
  for (const thing of stripe.things.values()) if (thing.object === 'refund') thing.status = 'succeeded'
  await sendRefund(paymentScope, refundId)
}

/** The card sends its refunds back. */
async function cameBack() {
  for (const thing of stripe.things.values())
    if (thing.object === 'refund') Object.assign(thing, { status: 'failed', failure_reason: 'expired_card' })
  const [refund] = stripe.refunds(String(paid.provider_ref))
  await deliver(stripe.event('refund.failed', { id: refund?.id, object: 'refund' }))
  await workOff()
}

test('a refund that comes back after its debt was forgiven takes the loss back', async () => {
  const id = await begun()
  await told('lost')
  await went(id)
  expect(await state()).toMatchObject({ ...nothing, balance: -60.5, owed: 60.5, provider: -60.5 })
  await writeOff()
  expect(await state()).toMatchObject({ ...forgiven, provider: -60.5 })
  await cameBack()
  expect(await state()).toMatchObject({ ...nothing, loss: 0, provider: 0 })
  await told('won')
  expect(await state()).toMatchObject({ balance: 50, vat: 10.5, advances: 50, loss: 0, provider: 60.5 })
})

test('a refund that comes back after a lost dispute made it a debt, which was forgiven, takes the loss back', async () => {
  await went(await begun(20))
  await told('lost')
  expect(await state()).toMatchObject({ ...nothing, balance: -24.2, owed: 24.2, provider: -24.2 })
  await writeOff()
  await cameBack()
  expect(await state()).toMatchObject({ ...nothing, loss: 0, provider: 0 })
  await told('won')
  expect(await state()).toMatchObject({ balance: 50, vat: 10.5, advances: 50, loss: 0, provider: 60.5 })
})

test('a balance is not adjusted up while such a debt is open', async () => {
  const adjust = (direction: 'up' | 'down') =>
    keyed(admin, `${base}/desk-clients/${ana.id}/-actions/adjust`, { amount: 5, direction })
  await sent()
  await told('lost')
  expect((await adjust('up')).faults).toEqual(['409 adjust_debt_open'])
  expect((await adjust('down')).status).toBe(200)
  await writeOff()
  expect((await adjust('up')).status).toBe(200)
  expect(await state()).toMatchObject(forgiven)
})

test('billing and administrators forgive a debt, with a recent sign-in; others do not', async () => {
  await sent()
  await told('lost')
  const as = async (role: 'support' | 'billing' | 'readonly', since?: 'an hour ago') =>
    portal.staff(await makeAdmin(portal.pool, role), since)
  expect((await writeOff(paid.id, portal.nobody)).status).toBe(401)
  expect((await writeOff(paid.id, portal.as(ana))).faults).toEqual(['403 staff_only'])
  expect((await writeOff(paid.id, portal.as(await makePayer(portal)))).status).toBe(404)
  expect((await writeOff(paid.id, await as('support'))).status).toBe(404)
  expect((await writeOff(paid.id, await as('readonly'))).status).toBe(403)
  expect((await writeOff(2_000_000_000)).status).toBe(404)
  expect((await on('writeOffDebt', { amount: 5 })).status).toBe(422)
  expect((await writeOff(paid.id, await as('billing', 'an hour ago'))).faults).toEqual([
    '403 recent_sign_in_required',
  ])
  expect(await state()).toMatchObject({ balance: -60.5, owed: 60.5, loss: 0 })
  expect((await writeOff(paid.id, await as('billing'))).status).toBe(200)
  const { rows } = await sql`select verb, reason, amount::float as amount, client_id from staff_actions
    where verb = 'writeOffDebt' and client_id = ${ana.id}`.execute(db)
  expect(rows).toEqual([
    { verb: 'writeOffDebt', reason: 'A test asks for it', amount: 60.5, client_id: ana.id },
  ])
})

test('above the limit of one person a second one approves, but not more than was asked for', async () => {
  await sent()
  await told('lost', 3000, paid, 'a')
  const { admin: id } = await makeMember(portal.pool, 'billing')
  const { admin: chief } = await makeMember(portal.pool, 'admin')
  const billing = portal.staff(id)
  await sql`update staff_limits set per_action = 29.99 where verb = 'writeOffDebt' and role = 'billing'`.execute(
    db,
  )
  expect((await writeOff(paid.id, billing)).faults).toEqual(['403 staff_limit_action'])
  const wish = { data: { verb: 'writeOffDebt', ref: String(paid.id), input: {} } }
  const ask = async () =>
    JSON.parse((await keyed(billing, `${base}/desk-requests/-actions/ask`, wish)).text).request_id
  const approve = (request: number) =>
    portal.staff(chief).post(`${base}/desk-requests/${request}/-actions/approve`, { data: {} })
  const request = await ask()
  await told('lost', 3050, paid, 'b')
  expect((await approve(request)).faults).toEqual(['409 request_grown'])
  expect((await approve(await ask())).status).toBe(200)
  expect(await state()).toMatchObject(forgiven)
})

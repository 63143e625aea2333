import { sql } from 'kysely'
import { sendRefund } from '#money/payments/refunds/refunds.ts'
import { pay } from '#test/support/card.ts'
import { type Dispute, iban, type Life } from './life.ts'

// What happens to payments by card, and to refunds.

type Refund = { id: number; payment: number; iban: string | null; ref: string | null; status: string }

/** Stripe is asked for a refund, which it carries out at once, or later. */
export async function sendOff(life: Life, refundId: number): Promise<void> {
  const { stripe, paymentScope } = life.portal
  stripe.refundsAre = life.choices.oneOf('pending', 'succeeded')
  await sendRefund(paymentScope, refundId)
  stripe.refundsAre = 'succeeded'
}

async function endTransfer(life: Life, { id, payment }: Refund): Promise<boolean> {
  const [verb, more] = life.choices.below(3)
    ? (['recordSentTransfer', { sent_on: life.day, reference: `OUT ${id}` }] as const)
    : (['dropTransfer', {}] as const)
  const done = await life.act(`transactions/${payment}/-actions/${verb}`, { refund_id: id, ...more })
  return life.granted(`${verb} ${id}`, done)
}

async function tell(life: Life, { id, cents, status }: Dispute): Promise<boolean> {
  life.log.push(`dispute ${id} of ${cents} cents is ${status}`)
  Object.assign(life.portal.stripe.things.get(id) ?? {}, { status })
  await life.told('charge.dispute.updated', id, 'dispute')
  return true
}

async function deposit(life: Life): Promise<boolean> {
  const net = life.choices.oneOf(10, 20, 50, 33.33, 7.77)
  return life.granted(`deposit ${net}`, await pay(life.own, { net }))
}

/** A payment that the person's bank asks about. */
async function beginPayment(life: Life): Promise<boolean> {
  life.askingCard ??= await life.portal.addCard(life.client, 'sca')
  const bill = life.choices.below(2) ? await life.bill() : undefined
  const wish = bill
    ? { purpose: 'service_bill', invoice_id: bill.id }
    : { net: life.choices.oneOf(5, 10, 40) }
  const answer = await pay(life.own, wish, { card: life.askingCard })
  if (!life.granted(`begin ${JSON.stringify(wish)}`, answer)) return false
  const begun = await life.rows(
    sql<{ id: number; ref: string }>`select id, provider_ref as ref from payments
      where id = ${Number(answer.one.id)} and status = 'requires_action'`,
  )
  return life.begun.push(...begun) > 0
}

async function endPayment(life: Life): Promise<boolean> {
  const begun = life.begun.shift()
  if (!begun) return false
  const isPaid = life.choices.below(4) > 0
  life.log.push(`payment ${begun.id} ${isPaid ? 'succeeds' : 'fails'}`)
  life.portal.stripe.decide(begun.ref, isPaid ? 'succeeded' : 'requires_payment_method')
  const type = isPaid ? 'payment_intent.succeeded' : 'payment_intent.payment_failed'
  await life.told(type, begun.ref, 'payment_intent')
  return true
}

async function refund(life: Life): Promise<boolean> {
  const payment = await life.payment()
  if (!payment) return false
  const isToBank = payment.provider === 'bank' || life.choices.below(2) === 0
  const amount = life.choices.below(2) && { amount: life.choices.cents(12) }
  const input = { reason: 'Wrong', ...(isToBank && { iban }), ...amount }
  const done = await life.act(`transactions/${payment.id}/-actions/refund`, input)
  if (!life.granted(`refund ${payment.id} ${JSON.stringify(input)}`, done)) return false
  if (!isToBank && life.choices.below(4)) await sendOff(life, JSON.parse(done.text).refund_id)
  return true
}

/** A refund goes on; one by card may fail after it had succeeded. */
async function endRefund(life: Life): Promise<boolean> {
  const refunds = await life.rows(
    sql<Refund>`select id, payment_id as payment, iban, provider_ref as ref, status from payment_refunds
      where client_id = ${life.client.id} and (status = 'pending' or status = 'succeeded' and iban is null or failure_code = 'payment_disputed' and iban is not null)`,
  )
  const refund = life.choices.one(refunds)
  if (!refund) return false
  if (refund.iban !== null) return endTransfer(life, refund)
  const thing = refund.ref === null ? undefined : life.portal.stripe.things.get(refund.ref)
  if (!thing) {
    life.log.push(`send refund ${refund.id}`)
    await sendOff(life, refund.id)
    return true
  }
  const hasFailed = refund.status === 'succeeded' || life.choices.below(3) === 0
  life.log.push(`refund ${refund.id} ${hasFailed ? 'fails' : 'succeeds'}`)
  Object.assign(
    thing,
    hasFailed ? { status: 'failed', failure_reason: 'expired_card' } : { status: 'succeeded' },
  )
  await life.told(hasFailed ? 'refund.failed' : 'refund.updated', thing.id, 'refund')
  return true
}

/** The bank of the card takes a payment back, whole or in part, or decides about one that it took. */
async function dispute(life: Life): Promise<boolean> {
  const known = life.choices.below(2) ? life.choices.one(life.disputes) : undefined
  if (known) {
    known.status = known.status === 'lost' ? 'won' : life.choices.oneOf('lost', 'lost', 'won')
    return tell(life, known)
  }
  const payment = await life.payment(sql`provider = 'stripe'`)
  if (!payment) return false
  const before = life.disputes.filter((one) => one.payment === payment.id)
  const rest = before.reduce((left, { cents }) => left - cents, Math.round(payment.gross * 100))
  if (rest <= 0) return false
  const id = `dp_${payment.id}_${before.length}`
  const cents = life.choices.below(2) ? rest : 1 + life.choices.below(rest)
  const status = life.choices.oneOf('lost', 'lost', 'needs_response')
  const thing = { id, object: 'dispute', payment_intent: payment.ref, currency: 'usd', amount: cents }
  life.portal.stripe.things.set(id, { ...thing, balance_transactions: [] })
  const dispute = { id, payment: payment.id, cents, status }
  life.disputes.push(dispute)
  return tell(life, dispute)
}

/** Staff give up what went back twice. */
async function writeOffDebt(life: Life): Promise<boolean> {
  const [debt] = await life.rows(
    sql<{
      payment: number
    }>`select payment_id as payment from payment_debts where client_id = ${life.client.id}
      and ended_at is null and set_off + written_off < amount order by id desc limit 1`,
  )
  if (!debt) return false
  const done = await life.act(`transactions/${debt.payment}/-actions/writeOffDebt`)
  return life.granted(`write off the debt of ${debt.payment}`, done)
}

export const paymentVerbs = { deposit, beginPayment, endPayment, refund, endRefund, dispute, writeOffDebt }

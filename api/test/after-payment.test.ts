import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { checkedByRecord } from '#money/invoices/vat/vat-checks.ts'
import { detachCard } from '#money/payments/cards/cards.ts'
import { reconcile } from '#money/payments/reconcile.ts'
import { readRefund, sendRefund } from '#money/payments/refunds/refunds.ts'
import type { Account } from './support/account.ts'
import { keyed, makePayer, pay } from './support/card.ts'
import { lettersTo } from './support/mail.ts'
import { stripePortal } from './support/stripe-portal.ts'
import { makeAdmin } from './support/ticket.ts'

// Events after a payment by Stripe: disputes, failed refunds and expired cards.

const { stripe, payments, portal, db, paymentScope, addCard, deliver, workOff } = await stripePortal()
let ana: Account

beforeEach(async () => {
  ana = await makePayer(portal)
})

/** Delivers an event of Stripe twice and runs the queued jobs. */
async function tell(type: string, id: string): Promise<void> {
  for (let n = 0; n < 2; n++) expect(await deliver(stripe.event(type, { id }))).toBe(200)
  await workOff()
}

describe('a dispute', () => {
  /** A deposit of 50 by card, and what Stripe holds of its dispute. */
  async function disputed(more: object = {}) {
    await addCard(ana)
    await pay(portal.as(ana), { net: 50 })
    const { id, provider_ref } = await payment()
    const dispute = {
      id: `dp_${id}`,
      object: 'dispute',
      payment_intent: provider_ref,
      currency: 'usd',
      balance_transactions: [],
    }
    const thing = { ...dispute, amount: 6050, status: 'needs_response', ...more }
    stripe.things.set(thing.id, thing)
    return { id, thing }
  }

  const payment = () =>
    db.selectFrom('payments').selectAll().where('client_id', '=', ana.id).executeTakeFirstOrThrow()

  async function deliverDispute(thing: { id: string }, status: string): Promise<void> {
    Object.assign(thing, { status })
    await tell('charge.dispute.updated', thing.id)
  }

  const shown = async () => [
    (await payment()).status,
    (await portal.as(ana).get(`${base}/account-balances`)).list[0]?.attributes?.account_balance,
  ]
  const alerts = async (id: number) =>
    (
      await db.selectFrom('staff_alerts').select('kind').where('payment_id', '=', id).orderBy('id').execute()
    ).map(({ kind }) => kind)

  test('moves nothing while it is open; lost it is owed, and won on appeal it is not, each once', async () => {
    const { id, thing } = await disputed()
    await deliverDispute(thing, 'warning_needs_response')
    await deliverDispute(thing, 'under_review')
    expect(await shown()).toEqual(['disputed', 50])
    await deliverDispute(thing, 'lost')
    await deliverDispute(thing, 'lost')
    expect(await shown()).toEqual(['disputed', 0])
    await deliverDispute(thing, 'appeal_under_review')
    expect(await shown()).toEqual(['disputed', 0])
    await deliverDispute(thing, 'won')
    await deliverDispute(thing, 'won')
    expect(await shown()).toEqual(['succeeded', 50])
    expect(await alerts(id)).toEqual(['disputed'])
  })

  test.each(['warning_closed', 'prevented'])('that ends as %s leaves the payment unchanged', async (end) => {
    const { thing } = await disputed()
    await deliverDispute(thing, 'needs_response')
    await deliverDispute(thing, end)
    expect(await shown()).toEqual(['succeeded', 50])
  })

  test('of a part reverses that part, with its VAT', async () => {
    const { thing } = await disputed({ amount: 1210 })
    await deliverDispute(thing, 'lost')
    expect(await shown()).toEqual(['disputed', 40])
  })

  test('of a reissued deposit reverses no VAT, and an open dispute blocks reissuing', async () => {
    ana = await makePayer(portal, '0', { country: 'DE', vatNumber: 'DE123456788' })
    const { thing } = await disputed({ amount: 5950 })
    await checkedByRecord(db, ['DE123456788'])
    const billing = portal.staff(await makeAdmin(portal.pool, 'billing'))
    const { advance_invoice_id: invoice } = await payment()
    const reissue = () =>
      keyed(billing, `${base}/invoices/${invoice}/-actions/storno`, { reason: 'The number is valid' })
    await deliverDispute(thing, 'needs_response')
    expect((await reissue()).faults).toEqual(['409 storno_disputed'])
    await deliverDispute(thing, 'won')
    expect((await reissue()).faults).toEqual([])
    expect(await shown()).toEqual(['succeeded', 59.5])
    Object.assign(thing, { id: `${thing.id}b` })
    stripe.things.set(thing.id, thing)
    await deliverDispute(thing, 'lost')
    expect(await shown()).toEqual(['disputed', 0])
    const owed = db.selectFrom('ledger_accounts').select('balance').where('client_id', '=', ana.id)
    expect(await owed.where('kind', '=', 'client_vat_due').executeTakeFirst()).toEqual({
      balance: '0.000000',
    })
  })

  test.each([
    { what: 'in another currency is not posted', more: { currency: 'eur' }, left: 50 },
    { what: 'of more than was paid takes all that was', more: { amount: 6051 }, left: 0 },
  ])('$what, and staff are alerted', async ({ more, left }) => {
    const { id, thing } = await disputed(more)
    await deliverDispute(thing, 'lost')
    expect(await shown()).toEqual(['disputed', left])
    expect(await alerts(id)).toEqual(['disputed', 'dispute_differs'])
  })
})

test('staff gives back any amount from a cent to what is left, and what is no amount is refused', async () => {
  await addCard(ana)
  const paid = await pay(portal.as(ana), { net: 50 })
  const url = `${base}/transactions/${paid.one.id}/-actions/refund`
  const billing = portal.staff(await makeAdmin(portal.pool, 'billing'))
  const giveBack = async (amount: number) => {
    const { status, text } = await keyed(billing, url, { reason: 'Goodwill', amount })
    if (status === 200) await sendRefund(paymentScope, JSON.parse(text).refund_id)
    return status
  }
  for (const amount of [0, -1, 0.001, 4.9900000001, 0.1 + 0.2]) expect(await giveBack(amount)).toBe(422)
  expect(await giveBack(0.01)).toBe(200)
  expect(await giveBack(4.99)).toBe(200)
  expect(await giveBack(45.01)).toBe(409)
  expect(await giveBack(45)).toBe(200)
  const shown = (await portal.as(ana).get(`${base}/transactions/${paid.one.id}`)).one.attributes
  expect(shown).toMatchObject({ status: 'refunded', refunded: 60.5 })
})

describe('a refund that went, and that the bank of the client sends back', () => {
  /** A deposit of 50, of which some went back; and what becomes of that. */
  async function givenBack(amount?: number) {
    await addCard(ana)
    const paid = await pay(portal.as(ana), { net: 50 })
    const url = `${base}/transactions/${paid.one.id}`
    const asked = await keyed(portal.as(ana), `${url}/-actions/refund`, { reason: 'Not needed', amount })
    await sendRefund(paymentScope, JSON.parse(asked.text).refund_id)
    const { provider_ref } = await db
      .selectFrom('payment_refunds')
      .select('provider_ref')
      .where('client_id', '=', ana.id)
      .executeTakeFirstOrThrow()
    const ref = String(provider_ref)
    Object.assign(stripe.things.get(ref) ?? {}, { status: 'failed', failure_reason: 'lost_or_stolen_card' })
    const shown = async () => (await portal.as(ana).get(`${url}?include=invoice`)).one.attributes
    return { url, ref, shown }
  }

  const balanceOf = async () =>
    (await portal.as(ana).get(`${base}/account-balances`)).list[0]?.attributes?.account_balance

  /** The documents, and the sums of VAT in them and in the ledger. */
  async function documents() {
    const { rows } = await sql<{ documents: string[]; vat: string; books: string }>`
      select array(select kind || ' ' || net || ' + ' || vat from invoices where client_id = ${ana.id} and kind <> 'proforma'
          order by id) as documents,
        (select sum(vat)::text from invoices where client_id = ${ana.id} and kind <> 'proforma') as vat,
        (select sum(e.amount)::numeric(14, 2)::text from ledger_entries e join ledger_accounts a on a.id = e.account_id
          join ledger_transactions t on t.id = e.transaction_id
          where t.client_id = ${ana.id} and a.kind = 'vat_payable') as books`.execute(db)
    return rows[0]
  }

  test('is on the balance again with an invoice, is in the history, and its owner is written to, once', async () => {
    const { ref, shown } = await givenBack(20)
    expect([await balanceOf(), (await shown())?.status]).toEqual([30, 'partially_refunded'])
    await Promise.all([1, 2, 3, 4].map(() => readRefund(paymentScope, 'stripe', ref)))
    await tell('refund.failed', ref)
    expect(await balanceOf()).toBe(50)
    expect(await documents()).toEqual({
      documents: ['fiscal 50.00 + 10.50', 'credit_note -20.00 + -4.20', 'fiscal 20.00 + 4.20'],
      vat: '10.50',
      books: '10.50',
    })
    const [restored] = (await portal.as(ana).get(`${base}/invoices?filter[kind]=fiscal&sort=-number`)).list
    const number = restored?.attributes?.full_number
    expect(await shown()).toMatchObject({
      status: 'succeeded',
      refunded: 0,
      refunds: [
        { status: 'returned', gross: 24.2, failure_code: 'lost_or_stolen_card', restored_invoice: number },
      ],
    })
    const letters = (await lettersTo(portal.pool, ana.email)).filter(({ kind }) => kind === 'refund-returned')
    expect(letters).toMatchObject([{ amount: { amount: '24.20', currency: 'USD' }, number }])
    const alerts = await db.selectFrom('staff_alerts').select(['kind', 'detail']).execute()
    expect(alerts.filter(({ kind }) => kind.startsWith('refund_returned'))).toMatchObject([
      { detail: { ref, gross: '24.20', failure: 'lost_or_stolen_card' } },
    ])
    const logged = (await portal.as(ana).get(`${base}/billing-logs`)).list.map(({ attributes }) => attributes)
    expect(logged).toContainEqual(
      expect.objectContaining({ invoice: expect.objectContaining({ full_number: number }) }),
    )
    // The provider moved nothing in the end, and so say the books.
    const sentences: string[] = []
    await reconcile(paymentScope, (sentence) => sentences.push(sentence))
    expect(sentences.filter((sentence) => sentence.includes(ref))).toEqual([])
  })

  test('of the whole amount can be refunded again, through the new invoice', async () => {
    const { url, ref, shown } = await givenBack()
    expect(await shown()).toMatchObject({ status: 'refunded', refunded: 60.5 })
    await readRefund(paymentScope, 'stripe', ref)
    expect(await shown()).toMatchObject({ status: 'succeeded', refunded: 0 })
    const again = await keyed(portal.as(ana), `${url}/-actions/refund`, { reason: 'By another card' })
    await sendRefund(paymentScope, JSON.parse(again.text).refund_id)
    expect(await shown()).toMatchObject({
      status: 'refunded',
      refunds: [{ status: 'returned' }, { status: 'succeeded', gross: 60.5 }],
    })
    expect(await balanceOf()).toBe(0)
    expect(await documents()).toMatchObject({ vat: '0.00', books: '0.00' })
  })
})

describe('a card that is removed', () => {
  test('a card is detached at Stripe by one request, however often; a missing one is no error', async () => {
    const card = await addCard(ana)
    const { provider_ref: ref } = await db
      .selectFrom('cards')
      .select('provider_ref')
      .where('id', '=', card)
      .executeTakeFirstOrThrow()
    const gone = await portal.as(ana).call('DELETE', `${base}/cards/${card}`)
    expect(gone.status).toBe(204)
    stripe.failNext(/POST \/v1\/payment_methods\/\w+\/detach$/, '500_after', '500_after')
    const from = stripe.requests.length
    await expect(detachCard(paymentScope, 'stripe', ref)).rejects.toThrow()
    await detachCard(paymentScope, 'stripe', ref)
    expect(new Set(stripe.requests.slice(from).map(({ path, key }) => `${path} ${key}`))).toEqual(
      new Set([`/v1/payment_methods/${ref}/detach detach:${ref}`]),
    )
    expect(stripe.things.get(ref)).toMatchObject({ customer: null })
    stripe.forgetAnswers()
    await detachCard(paymentScope, 'stripe', ref)
    await detachCard(paymentScope, 'stripe', 'pm_unknown')
    expect(await payments.current.getMethod(ref)).toBeNull()
    await tell('payment_method.detached', ref)
    expect((await portal.as(ana).get(`${base}/cards`)).list).toEqual([])
  })

  test('at Stripe alone can be charged no more here; one that its bank renewed can again', async () => {
    const card = await addCard(ana)
    const read = () => db.selectFrom('cards').selectAll().where('id', '=', card).executeTakeFirstOrThrow()
    const { provider_ref: ref } = await read()
    await sql`update cards set status = 'expired', is_default = false where id = ${card}`.execute(db)
    Object.assign(stripe.things.get(ref)?.card ?? {}, { exp_year: 2041 })
    await tell('payment_method.automatically_updated', ref)
    expect(await read()).toMatchObject({ status: 'active', exp_year: 2041 })
    Object.assign(stripe.things.get(ref) ?? {}, { customer: null })
    await tell('payment_method.detached', ref)
    expect(await read()).toMatchObject({ status: 'failed', is_default: false })
    expect((await pay(portal.as(ana), { net: 50 }, { card })).status).toBeGreaterThanOrEqual(400)
  })
})

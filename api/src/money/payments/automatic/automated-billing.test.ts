import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { detachCard, processExpiringCards, refreshCard } from '#money/payments/cards/cards.ts'
import { readDispute } from '#money/payments/disputes/disputes.ts'
import { paymentScopeOn } from '#money/payments/payment-scope.ts'
import { advancePayment } from '#money/payments/payments.ts'
import { advanceDisputes } from '#money/payments/providers/sandbox/sandbox-store.ts'
import { sendRefund } from '#money/payments/refunds/refunds.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, answerBank, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeOperator, newSeries } from '#test/support/documents.ts'
import { lettersTo, newestLetter, testVault } from '#test/support/mail.ts'
import { businessTime, movedBalance } from '#test/support/money.ts'
import { testPortal } from '#test/support/portal.ts'
import { chargeIfLow, rechargeFor } from './automated-billing.ts'

const portal = await testPortal({ poolSize: 12 })
const { pool } = portal
const db = pool.kysely
const paymentScope = paymentScopeOn({ pool, vault: testVault, payments: portal.payments })
const consent = 'I let the portal charge my card when my balance is low. VAT is added on top.'
let ana: Account

beforeAll(() => makeOperator(pool))
beforeEach(async () => {
  await newSeries(pool)
  await businessTime(pool, '2026-06-10T10:00:00Z')
  ana = await makePayer(portal, '20')
})

const url = `${base}/automated-billing-rules`

const cardLinkage = (id: number) => ({ data: { type: 'cards', id: String(id) } })

/** A rule that charges below 15 as many times 50 as it takes, unless it says otherwise. */
async function makeRule(
  { card, fallback, ...more }: { card: number; fallback?: number; [attribute: string]: unknown },
  enabled = true,
): Promise<string> {
  const me = portal.as(ana)
  const made = await me.post(url, {
    data: {
      type: 'automated-billing-rules',
      attributes: { threshold_amount: 15, recharge_amount: 50, ...more },
      relationships: {
        card: cardLinkage(card),
        ...(fallback !== undefined && { fallbackCard: cardLinkage(fallback) }),
      },
    },
  })
  if (made.status !== 201) throw new Error(made.text)
  if (enabled) await me.post(`${url}/${made.one.id}/-actions/enable`, { consent })
  return made.one.id
}

const rule = async (id: string) => (await portal.as(ana).get(`${url}/${id}`)).one.attributes ?? {}

async function decisions(id: string): Promise<string[]> {
  const { decisions: all } = await rule(id)
  // The contract says what they are.
  return (all as { outcome: string; reason: string; times: number }[])
    .map(({ outcome, reason, times }) => `${outcome} ${reason}${times > 1 ? ` x${times}` : ''}`)
    .reverse()
}

async function balance(): Promise<string> {
  const { rows } = await sql<{ balance: string }>`select trim_scale(account_balance)::text as balance
    from account_balances where client_id = ${ana.id}`.execute(db)
  return rows[0]?.balance ?? ''
}

const spend = (amount: string) => movedBalance(pool, ana.id, `-${amount}`, '2026-06-10')
const charge = () => chargeIfLow(paymentScope, ana.id)

test.each([
  ['14.99', '0', null, [], '50'],
  ['-34.99', '0', null, [], '50'],
  ['-35.01', '0', null, [], '100'],
  ['-135.5', '0', null, [], '200'],
  ['14', '0', '120', [], '50'],
  ['14', '80', '120', [], '40'],
  ['14', '116', '120', [], undefined],
  ['-100', '0', '60', [], '60'],
  // A bill of 30 lifts the balance by 30 when it is paid.
  ['-30', '0', null, [['30', '36.30', '36.30']], '50'],
  ['-30', '0', '85', [['30', '36.30', '36.30']], '50'],
  ['-15', '0', null, [['30', '36.30', '36.30']], '0'],
] as const)(
  'with %s available, %s charged and a ceiling of %s, bills %j: %s',
  (available, charged, cap, bills, net) => {
    const amounts = { threshold_amount: '15', recharge_amount: '50', monthly_cap: cap }
    const open = bills.map(([n, total, due]) => ({ net: n, total, due }))
    expect(
      rechargeFor(amounts, { available, charged, least: '5', currency: 'USD' }, open)?.net.toFixed(),
    ).toBe(net)
  },
)

describe('a rule', () => {
  test('charges below the threshold, with VAT on top, once; and says what it decided', async () => {
    const id = await makeRule({ card: await addCard(portal, ana) })
    await charge()
    await charge()
    expect(await decisions(id)).toEqual(['not_charged balance_suffices x2'])
    await spend('5.01')
    await Promise.all([charge(), charge(), charge(), charge()])
    expect(await balance()).toBe('64.99')
    expect((await rule(id)).charged_this_month).toBe(50)
    await spend('60')
    await charge()
    const decided = (await decisions(id)).filter((one) => !one.includes('payment_open'))
    expect(decided.slice(0, 3)).toEqual([
      'not_charged balance_suffices x2',
      'charged below_threshold',
      'succeeded paid',
    ])
    expect(decided.at(-1)).toMatch(/^not_charged cooldown/)
    await businessTime(pool, '2026-06-10T11:01:00Z')
    await charge()
    expect(await balance()).toBe('54.99')
    const paid = await portal.as(ana).get(`${base}/transactions?filter[purpose]=auto_recharge`)
    expect(paid.list.map(({ attributes }) => [attributes?.gross, attributes?.off_session])).toEqual([
      [60.5, true],
      [60.5, true],
    ])
  })

  test('charges nothing without consent, without a card, when it is off, and beyond its ceiling', async () => {
    const me = portal.as(ana)
    const card = await addCard(portal, ana)
    const id = await makeRule({ card, monthly_cap: 52 }, false)
    await spend('19')
    expect(await charge()).toBeUndefined()
    const short = await me.post(`${url}/${id}/-actions/enable`, { consent: 'yes' })
    expect(short.status).toBe(422)
    await me.post(`${url}/${id}/-actions/enable`, { consent })
    await charge()
    expect(await balance()).toBe('51')
    await spend('50')
    await businessTime(pool, '2026-06-11T10:00:00Z')
    expect(await charge()).toMatchObject({ outcome: 'not_charged', reason: 'monthly_cap' })
    await businessTime(pool, '2026-07-01T00:01:00Z')
    expect(await charge()).toMatchObject({ outcome: 'charged' })
    await me.post(`${url}/${id}/-actions/disable`, {})
    await spend('60')
    expect(await charge()).toBeUndefined()
    const { rows } = await sql<{
      kept: boolean
    }>`select consent_text_hash = sha256(${consent}::text::bytea) and consent_at is not null
      and consent_client_id = ${ana.id} as kept from automated_billing_rules where id = ${id}`.execute(db)
    expect(rows).toEqual([{ kept: true }])
  })

  test('is not given cards of others, nor the same card twice', async () => {
    const other = await makePayer(portal)
    const foreign = await addCard(portal, other)
    const card = await addCard(portal, ana)
    await expect(makeRule({ card: foreign })).rejects.toThrow('404')
    await expect(makeRule({ card, fallback: card })).rejects.toThrow('422')
    await makeRule({ card })
    await expect(makeRule({ card })).rejects.toThrow('409')
    await expect(makeRule({ card, threshold_amount: 4.99 })).rejects.toThrow('threshold_amount')
  })

  test('is enabled with a card alone, and keeps one while it is', async () => {
    const me = portal.as(ana)
    const card = await addCard(portal, ana)
    await expect(makeRule({ card, monthly_cap: 49 })).rejects.toThrow('automatic_cap_small')
    const id = await makeRule({ card })
    const without = { data: { type: 'automated-billing-rules', id, relationships: { card: { data: null } } } }
    const kept = await me.patch(`${url}/${id}`, without)
    expect([kept.status, kept.errors[0]?.code]).toEqual([409, 'automatic_keeps_card'])
    await me.post(`${url}/${id}/-actions/disable`, {})
    expect((await me.patch(`${url}/${id}`, without)).status).toBe(200)
    const refused = await me.post(`${url}/${id}/-actions/enable`, { consent })
    expect([refused.status, refused.errors[0]?.code]).toEqual([409, 'automatic_needs_card'])
  })

  test('keeps its card: it cannot be removed without another', async () => {
    const me = portal.as(ana)
    const card = await addCard(portal, ana)
    const id = await makeRule({ card })
    expect((await me.delete(`${base}/cards/${card}`)).status).toBe(409)
    const second = await addCard(portal, ana, '4000 0025 0000 3155')
    await me.patch(`${url}/${id}`, {
      data: { type: 'automated-billing-rules', id, relationships: { fallbackCard: cardLinkage(second) } },
    })
    expect((await me.delete(`${base}/cards/${card}`)).status).toBe(204)
    expect(
      (await me.get(`${base}/cards`)).list.map(({ id: one, attributes }) => [one, attributes?.is_default]),
    ).toEqual([[String(second), true]])
    await spend('10')
    expect(await charge()).toMatchObject({ outcome: 'charged' })
    expect(await balance()).toBe('60')
  })
})

describe('a card that is refused', () => {
  test('leaves it to the other card at once', async () => {
    const card = await addCard(portal, ana, '4000 0000 0000 0341')
    const id = await makeRule({ card, fallback: await addCard(portal, ana) })
    await spend('10')
    await charge()
    expect(await rule(id)).toMatchObject({ failures: 0, status: 'active', next_try_at: null })
    await charge()
    expect(await balance()).toBe('60')
    expect(await decisions(id)).toEqual([
      'charged below_threshold',
      'declined card_declined',
      'charged below_threshold',
      'succeeded paid',
    ])
  })

  test('is tried again after one, three and five days, never twice a day, then it pauses with a letter', async () => {
    const id = await makeRule({ card: await addCard(portal, ana, '4000 0000 0000 0341') })
    await spend('10')
    const attempts: string[] = []
    for (let day = 10; day < 25; day++)
      for (const hour of ['10', '22']) {
        await businessTime(pool, `2026-06-${day}T${hour}:${day}:00Z`)
        const made = await charge()
        if (made?.outcome === 'charged') attempts.push(`${day} ${hour}`)
      }
    expect(attempts).toEqual(['10 10', '11 10', '14 10', '19 10'])
    expect(await rule(id)).toMatchObject({ status: 'paused_declined', failures: 4 })
    expect(await newestLetter(pool, ana.email, 'payment-declined')).toMatchObject({
      amount: { amount: '60.50', currency: 'USD' },
    })
    // A new card is charged at once.
    const good = await addCard(portal, ana)
    await portal.as(ana).patch(`${url}/${id}`, {
      data: { type: 'automated-billing-rules', id, relationships: { card: cardLinkage(good) } },
    })
    const retried = await portal.as(ana).post(`${url}/${id}/-actions/retryNow`, {})
    expect(JSON.parse(retried.text)).toMatchObject({ status: 'active' })
    expect(await balance()).toBe('60')
  })
})

test('a refused card is charged once a day, however often and by whichever way it is asked for', async () => {
  const card = await addCard(portal, ana, '4000 0000 0000 0341')
  const id = await makeRule({ card })
  await spend('10')
  await charge()
  const me = portal.as(ana)
  const asked = await Promise.all([1, 2, 3].map(() => me.post(`${url}/${id}/-actions/retryNow`, {})))
  expect(asked.flatMap(({ faults }) => faults)).toEqual(Array(3).fill('429 card_refused_today'))
  await me.post(`${url}/${id}/-actions/disable`, {})
  await me.post(`${url}/${id}/-actions/enable`, { consent })
  expect(await charge()).toMatchObject({ outcome: 'not_charged', reason: 'waits_to_try_again' })
  await businessTime(pool, '2026-06-11T00:01:00Z')
  await me.post(`${url}/${id}/-actions/retryNow`, {})
  const { rows } = await sql`select from payments where client_id = ${ana.id}`.execute(db)
  expect(rows).toHaveLength(2)
})

test('an expired fallback card does not prevent further attempts', async () => {
  const dead = await addCard(portal, ana)
  const id = await makeRule({ card: await addCard(portal, ana, '4000 0000 0000 0341'), fallback: dead })
  await sql`update cards set status = 'failed', is_default = false where id = ${dead}`.execute(db)
  await spend('10')
  await charge()
  expect(await rule(id)).toMatchObject({ failures: 1, next_try_at: expect.any(String) })
  // And one that dies when it is its turn.
  await sql`update automated_billing_rules set use_fallback = true, next_try_at = null where id = ${id}`.execute(
    db,
  )
  await businessTime(pool, '2026-06-11T10:00:00Z')
  expect(await charge()).toMatchObject({ outcome: 'charged' })
})

describe('a card that its provider has no more', () => {
  /** Removes a card at the provider and delivers its event. */
  async function forget(card: number): Promise<void> {
    const { provider_ref: ref } = await db
      .selectFrom('cards')
      .select('provider_ref')
      .where('id', '=', card)
      .executeTakeFirstOrThrow()
    await detachCard(paymentScope, 'sandbox', ref)
    await refreshCard(paymentScope, 'sandbox', ref)
  }
  const cardsOf = async (id: string) =>
    db
      .selectFrom('automated_billing_rules')
      .select(['card_id', 'fallback_card_id', 'use_fallback'])
      .where('id', '=', Number(id))
      .executeTakeFirst()

  test('leaves its place to the other, which is charged at once', async () => {
    const [card, other] = [await addCard(portal, ana, '4000 0000 0000 0341'), await addCard(portal, ana)]
    const id = await makeRule({ card, fallback: other })
    await spend('10')
    await charge()
    expect(await cardsOf(id)).toEqual({ card_id: card, fallback_card_id: other, use_fallback: true })
    await forget(card)
    expect(await cardsOf(id)).toEqual({ card_id: other, fallback_card_id: null, use_fallback: false })
    expect(await charge()).toMatchObject({ outcome: 'charged' })
    expect(await balance()).toBe('60')
  })

  test('is no way out for one that was refused, which rests as if there had been none', async () => {
    const [card, other] = [await addCard(portal, ana, '4000 0000 0000 0341'), await addCard(portal, ana)]
    const id = await makeRule({ card, fallback: other })
    await spend('10')
    await charge()
    await forget(other)
    expect(await cardsOf(id)).toEqual({ card_id: card, fallback_card_id: null, use_fallback: false })
    expect(await charge()).toMatchObject({ outcome: 'not_charged', reason: 'waits_to_try_again' })
    await businessTime(pool, '2026-06-11T10:00:00Z')
    await charge()
    expect(await rule(id)).toMatchObject({ failures: 1, next_try_at: expect.any(String) })
  })

  test('leaves the cards of other rules alone, and without any card nothing is charged', async () => {
    const [card, other] = [await addCard(portal, ana), await addCard(portal, ana, '4000 0025 0000 3155')]
    const id = await makeRule({ card, fallback: other })
    await forget(await addCard(portal, ana, '4000 0000 0000 0341'))
    expect(await cardsOf(id)).toMatchObject({ card_id: card, fallback_card_id: other })
    await forget(other)
    await forget(card)
    await spend('10')
    expect(await charge()).toMatchObject({ outcome: 'not_charged', reason: 'no_card' })
  })
})

test('a bank that wants to hear the person: a letter with a link, nothing more until they answered', async () => {
  const id = await makeRule({ card: await addCard(portal, ana, '4000 0027 6000 3184') })
  await spend('10')
  await charge()
  expect(await rule(id)).toMatchObject({ status: 'needs_action' })
  const { transaction } = await newestLetter(pool, ana.email, 'payment-action')
  await charge()
  expect((await decisions(id)).at(-1)).toBe('not_charged payment_open')
  const at = `${base}/transactions/${transaction}/-actions/confirm`
  const resumed = JSON.parse((await portal.as(ana).post(at, {})).text)
  await answerBank(portal, resumed.challenge_url, 'yes')
  await portal.as(ana).post(at, {})
  expect(await balance()).toBe('60')
  expect(await rule(id)).toMatchObject({ status: 'active', failures: 0 })
})

test('guests with billing see and change it; others do not know that it is there', async () => {
  const id = await makeRule({ card: await addCard(portal, ana) })
  const guest = await makePayer(portal)
  const stranger = portal.as(await makePayer(portal))
  await portal.share(ana, guest, { billing: 'allowed', my_workspaces: 'denied' })
  const theirs = await portal.as(guest).get(`${url}?filter[client_id]=${ana.id}`)
  expect(theirs.list.map((one) => one.id)).toEqual([id])
  expect((await portal.as(guest).post(`${url}/${id}/-actions/disable`, {})).status).toBe(200)
  expect((await stranger.post(`${url}/${id}/-actions/disable`, {})).status).toBe(404)
})

test('letters announce an expiring card 30 and 7 days before; then another card takes its place', async () => {
  const card = await addCard(portal, ana, '4242 4242 4242 4242', '07/26')
  const second = await addCard(portal, ana, '4000 0025 0000 3155')
  const id = await makeRule({ card, fallback: second })
  const written = async (at: string) => {
    await businessTime(pool, at)
    await processExpiringCards(paymentScope)
    await processExpiringCards(paymentScope)
    return (await lettersTo(pool, ana.email))
      .filter(({ kind }) => kind.startsWith('card-'))
      .map(({ kind }) => kind)
  }
  expect(await written('2026-07-01T12:00:00Z')).toEqual([])
  expect(await written('2026-07-02T12:00:00Z')).toEqual(['card-expiring'])
  expect(await written('2026-07-20T12:00:00Z')).toEqual(['card-expiring'])
  expect(await written('2026-07-25T12:00:00Z')).toEqual(['card-expiring', 'card-expiring'])
  expect(await written('2026-08-01T00:10:00Z')).toEqual(['card-expiring', 'card-expiring', 'card-expired'])
  const cards = await portal.as(ana).get(`${base}/cards?sort=createdAt`)
  expect(cards.list.map(({ attributes }) => attributes?.status)).toEqual(['expired', 'active'])
  const { rows } = await sql<{
    card_id: number
  }>`select card_id from automated_billing_rules where id = ${id}`.execute(db)
  expect(rows).toEqual([{ card_id: second }])
})

describe('afterwards', () => {
  const deposit = async (number: string) => {
    const card = await addCard(portal, ana, number)
    return (await pay(portal.as(ana), { net: 50 }, { card })).one.id
  }
  const refundOf = (id: string, body: object, key?: string) =>
    keyed(
      portal.as(ana),
      `${base}/transactions/${id}/-actions/refund`,
      { reason: 'not needed', ...body },
      key,
    )

  async function sendAll(): Promise<void> {
    const { rows } = await sql<{
      id: number
    }>`select id from payment_refunds where client_id = ${ana.id}`.execute(db)
    for (const { id } of rows) await Promise.all([sendRefund(paymentScope, id), sendRefund(paymentScope, id)])
  }

  test('an unused deposit goes back with its VAT and a credit note, once; what was used does not', async () => {
    const id = await deposit('4242 4242 4242 4242')
    await spend('35')
    const tooMuch = await refundOf(id, { amount: 40 })
    expect([tooMuch.status, tooMuch.errors[0]?.code]).toEqual([409, 'refund_most'])
    const asked = await Promise.all([1, 2, 3, 4].map(() => refundOf(id, { amount: 20 }, 'one-wish')))
    expect(asked.map(({ status, text }) => [status, text])).toEqual(asked.map(() => [200, asked[0]?.text]))
    await sendAll()
    expect(await balance()).toBe('15')
    const paid = await portal.as(ana).get(`${base}/transactions/${id}`)
    expect(paid.one.attributes).toMatchObject({ status: 'partially_refunded', refunded: 24.2 })
    const { rows } = await sql<{
      total: string
    }>`select total from invoices where client_id = ${ana.id} and kind = 'credit_note'`.execute(db)
    expect(rows).toEqual([{ total: '-24.20' }])
    await businessTime(pool, '2026-06-25T10:00:00Z')
    expect((await refundOf(id, {})).status).toBe(409)
  })

  test('two wishes at once get no more back than the balance holds, of two payments or of one', async () => {
    const payments = [await deposit('4242 4242 4242 4242'), await deposit('4242 4242 4242 4242')]
    await spend('70')
    const asked = await Promise.all(payments.map((id) => refundOf(id, {})))
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(asked.flatMap(({ errors }) => errors).map(({ code }) => code)).toEqual(['insufficient_balance'])
    await sendAll()
    expect(await balance()).toBe('0')
    await movedBalance(pool, ana.id, '30', '2026-06-10')
    const [left = ''] = payments.filter((_, at) => asked[at]?.status === 409)
    const same = await Promise.all([5, 6].map((amount) => refundOf(left, { amount })))
    expect(same.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(same.flatMap(({ errors }) => errors).map(({ code }) => code)).toEqual(['refund_pending'])
  })

  test('a payment that is disputed and lost is owed', async () => {
    const id = await deposit('4000 0000 0000 0259')
    expect(await balance()).toBe('70')
    const days = ['2026-06-11T10:00:01Z', '2026-06-12T10:00:01Z', '2026-06-13T10:00:00Z']
    for (const at of days) {
      await businessTime(pool, at)
      await advanceDisputes(paymentScope)
      const { rows } = await sql<{
        ref: string
      }>`select ref from sandbox_objects where kind = 'dispute'`.execute(db)
      for (const { ref } of rows)
        await Promise.all([
          readDispute(paymentScope, 'sandbox', ref),
          readDispute(paymentScope, 'sandbox', ref),
        ])
    }
    expect(await balance()).toBe('20')
    expect((await portal.as(ana).get(`${base}/transactions/${id}`)).one.attributes).toMatchObject({
      status: 'disputed',
    })
    await advancePayment(paymentScope, Number(id))
    expect(await balance()).toBe('20')
  })
})

test('the server logged no bug', async () => {
  expect(portal.bugs).toEqual([])
  const { rows } =
    await sql`select transaction_id from ledger_entries group by 1 having sum(amount) <> 0`.execute(db)
  expect(rows).toEqual([])
})

test('the card of a client whom staff blocked is not charged until the block ends', async () => {
  const id = await makeRule({ card: await addCard(portal, ana) })
  await spend('10')
  await sql`update clients set status = 0 where id = ${ana.id}`.execute(db)
  expect(await charge()).toBeUndefined()
  expect(await decisions(id)).toEqual([])
  await sql`update clients set status = 1 where id = ${ana.id}`.execute(db)
  expect(await charge()).toMatchObject({ outcome: 'charged' })
})

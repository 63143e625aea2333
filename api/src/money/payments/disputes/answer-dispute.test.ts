import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { advanceDisputes } from '#money/payments/providers/sandbox/sandbox-store.ts'
import type { Account } from '#test/support/account.ts'
import { makePayer, pay } from '#test/support/card.ts'
import { businessTime } from '#test/support/money.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const { stripe, portal, db, paymentScope, addCard, deliver, workOff } = await stripePortal()
const { pool } = portal
const billing = portal.staff(await makeAdmin(pool, 'billing'))
let ana: Account
let thing: { id: string; evidence?: object }
let dispute: number

afterAll(() => {
  expect([stripe.violations, portal.bugs]).toEqual([[], []])
})

beforeEach(async () => {
  await businessTime(pool, '2026-10-03T10:00:00Z')
  ana = await makePayer(portal)
  await addCard(ana)
  await pay(portal.as(ana), { net: 50 })
  const paid = await db
    .selectFrom('payments')
    .select(['id', 'provider_ref'])
    .where('client_id', '=', ana.id)
    .executeTakeFirstOrThrow()
  const due_by = Math.floor(Date.now() / 1000) + 86_400
  const dispute_thing = {
    id: `dp_${paid.id}`,
    object: 'dispute',
    payment_intent: paid.provider_ref,
    currency: 'usd',
    amount: 6050,
    status: 'needs_response',
    evidence_details: { due_by },
    balance_transactions: [],
  }
  thing = dispute_thing
  stripe.things.set(thing.id, dispute_thing)
  expect(await deliver(stripe.event('charge.dispute.created', { id: thing.id }))).toBe(200)
  await workOff()
  dispute = (
    await db
      .selectFrom('payment_disputes')
      .select('id')
      .where('provider_ref', '=', thing.id)
      .executeTakeFirstOrThrow()
  ).id
})

const answer = (text = 'The server ran until yesterday', who = billing) =>
  who.post(`${base}/desk-disputes/${dispute}/-actions/answerDispute`, { data: { text } })
const shown = async () => (await billing.get(`${base}/desk-disputes/${dispute}`)).one.attributes
const set = (what: ReturnType<typeof sql>) =>
  sql`update payment_disputes set ${what} where id = ${dispute}`.execute(db)

test('billing send the evidence to the provider once, with who the client is', async () => {
  expect((await answer()).status).toBe(200)
  expect(thing.evidence).toMatchObject({
    'evidence[uncategorized_text]': 'The server ran until yesterday',
    'evidence[customer_email_address]': ana.email,
    submit: 'true',
  })
  expect(await shown()).toMatchObject({
    status: 'open',
    answer: 'The server ran until yesterday',
    answered_at: expect.any(String),
    answered_by_name: 'Sorin',
  })
  expect((await answer('Another')).faults).toEqual(['409 dispute_answered'])
  const { rows } = await sql<{ verb: string }>`select verb from staff_actions a
    where a.type = 'desk-disputes' and a.ref = ${String(dispute)}`.execute(db)
  expect(rows).toEqual([{ verb: 'answerDispute' }, { verb: 'answerDispute' }])
})

test('an answer whose receipt was lost is sent again as the same one', async () => {
  stripe.failNext(/^POST \/v1\/disputes/, '500_after', '500_after')
  const lost = await answer()
  expect(lost.faults).toEqual(['502 provider_unavailable'])
  expect(await shown()).toMatchObject({ answer: 'The server ran until yesterday', answered_at: null })
  expect((await answer()).status).toBe(200)
})

test('what is decided, late, empty or not taken is refused, and only billing answer', async () => {
  expect((await answer('  ')).errors[0]?.code).toBe('message_required')
  await set(sql`answer_by = now() - interval '1 hour'`)
  expect((await answer()).faults).toEqual(['409 dispute_answer_late'])
  await set(sql`answer_by = null, status = 'won'`)
  expect((await answer()).faults).toEqual(['409 dispute_not_open'])
  await set(sql`status = 'open'`)
  Object.assign(thing, { status: 'under_review' })
  expect((await answer()).faults).toEqual(['409 dispute_answer_refused'])
  expect((await shown())?.answered_at).toBeNull()
  for (const [role, status] of [
    ['support', 404],
    ['readonly', 403],
  ] as const)
    expect((await answer('Mine', portal.staff(await makeAdmin(pool, role)))).status).toBe(status)
})

test('the sandbox wins a dispute that was answered, and loses others', async () => {
  const { provider_ref } = await db
    .selectFrom('payments')
    .select('provider_ref')
    .where('client_id', '=', ana.id)
    .executeTakeFirstOrThrow()
  await sql`update payments set provider = 'sandbox', settled_at = clock_now() - interval '3 days' where client_id = ${ana.id}`.execute(
    db,
  )
  await set(sql`provider = 'sandbox'`)
  const decided = async (more: object) => {
    const body = JSON.stringify({ paymentRef: provider_ref, amount: '60.50', status: 'open', ...more })
    await sql`insert into sandbox_objects (ref, made_by, kind, body) values (${thing.id}, ${thing.id}, 'dispute', ${body}::jsonb)
      on conflict (ref) do update set body = excluded.body`.execute(db)
    await advanceDisputes(paymentScope)
    const { rows } = await sql<{
      status: string
    }>`select body ->> 'status' as status from sandbox_objects where ref = ${thing.id}`.execute(db)
    return rows[0]?.status
  }
  expect(await decided({})).toBe('lost')
  expect(await decided({ answer: 'The server ran' })).toBe('won')
})

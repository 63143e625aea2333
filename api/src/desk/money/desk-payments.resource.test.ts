import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { disputeOf } from '#money/payments/providers/stripe/stripe-objects.ts'
import { makeAccount } from '#test/support/account.ts'
import { makePayment } from '#test/support/payment.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const roles = ['support', 'billing', 'admin', 'readonly'] as const
const staff = Object.fromEntries(
  await Promise.all(roles.map(async (role) => [role, portal.staff(await makeAdmin(pool, role))])),
) as Record<(typeof roles)[number], Visitor>
const payments = `${base}/desk-payments`
const disputes = `${base}/desk-disputes`

/** A payment of a new client, changed to the given columns. */
async function pay(columns: Record<string, unknown> = {}) {
  const client = await makeAccount(pool, { projects: 1, panels: 0 })
  const { transactions: id = 0, 'automated-billing-rules': rule = 0 } = await makePayment(pool, client.id)
  if (Object.keys(columns).length > 0)
    await sql`update payments set ${sql.join(
      Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
    )} where id = ${id}`.execute(db)
  return { client, id, rule }
}

const listed = async (query: string, by: Visitor = staff.billing) =>
  (await by.get(`${payments}?${query}`)).list
const idsOf = async (query: string) => (await listed(query)).map(({ id }) => Number(id))

test('staff who see money read payments and disputes; support, clients and strangers do not', async () => {
  const { client } = await pay()
  for (const at of [payments, disputes]) {
    for (const role of ['billing', 'admin', 'readonly'] as const)
      expect((await staff[role].get(at)).status).toBe(200)
    expect((await staff.support.get(at)).list).toEqual([])
    expect((await portal.as(client).get(at)).status).toBe(404)
    expect((await portal.nobody.get(at)).status).toBe(404)
  }
})

test('payments are listed by state, and older ones only when they are asked for', async () => {
  const waits = await pay()
  const failed = await pay({ status: 'failed', failure_code: 'insufficient_funds' })
  const settled = await pay({ status: 'succeeded', settled_at: '2026-01-02T10:00:00Z' })
  const old = await pay({ status: 'failed', created_at: '2001-01-01T00:00:00Z' })
  const of = async (state: string) => idsOf(`filter[state]=${state}`)
  expect(await of('waiting')).toContain(waits.id)
  expect(await of('failed')).toEqual([failed.id, old.id])
  expect(await idsOf('filter[state]=failed&filter[days]=90')).toEqual([failed.id])
  expect(await of('settled')).toEqual([settled.id])
  expect(await idsOf(`filter[client_id]=${failed.client.id}`)).toEqual([failed.id])
  for (const wrong of ['filter[state]=lost', 'filter[days]=7', 'filter[client_id]=x', 'sort=status'])
    expect((await staff.billing.get(`${payments}?${wrong}`)).status).toBe(400)
})

test('payments are found by provider, status, amount, day, client and reference, also of a refund, a dispute or a line', async () => {
  const card = await pay({
    status: 'succeeded',
    settled_at: '2026-01-02T10:00:00Z',
    provider_ref: 'pi_Find1',
    gross: 77.77,
    vat: 27.77,
    created_at: '2026-01-02T10:00:00Z',
  })
  await sql`update payments set status = 'refunded' where id = ${card.id}`.execute(db)
  const transfer = await pay({
    status: 'succeeded',
    settled_at: '2026-01-02T10:00:00Z',
    provider: 'bank',
    method: 'bank_transfer',
    received_on: '2026-01-02',
    card_id: null,
    provider_ref: 'PAPER 7_1%',
  })
  await sql`insert into payment_refunds (payment_id, client_id, net, vat, gross, reason, status, provider_ref, transfer_reference)
    values (${card.id}, ${card.client.id}, 1, 0, 1, 'x', 'succeeded', 're_find1', 'OUT 9')`.execute(db)
  await sql`insert into payment_disputes (payment_id, provider, provider_ref, amount, status)
    values (${card.id}, 'sandbox', 'dp_find1', 1, 'won')`.execute(db)
  await sql`with file as (insert into bank_statements (admin_id, iban, currency, filename, format, lines, sha256)
      select min(id), 'RO49AAAA1B31007593840000', 'USD', 'a.xml', 'camt053', 1, ${Buffer.from('1')} from admins returning id, iban)
    insert into bank_lines (statement_id, iban, reference, bank_reference, booked_on, amount, currency, text, is_reversal, state,
        client_id, payment_id)
      select id, iban, '#1', 'BATCH 5', '2026-01-02', 1, 'USD', '', false, 'matched', ${transfer.client.id}, ${transfer.id}
      from file`.execute(db)
  await sql`insert into bank_lines (statement_id, iban, reference, bank_reference, booked_on, amount, currency, text, is_reversal, state, same_as)
    select statement_id, iban, '#2', 'CSV 6', booked_on, amount, currency, text, false, 'same', id
    from bank_lines where reference = '#1'`.execute(db)
  const of = (query: string) => idsOf(`filter[${query.replace('=', ']=')}`)
  expect(await of('provider=bank')).toEqual([transfer.id])
  expect(await of('status=refunded')).toEqual([card.id])
  expect(await of('amount=77.77')).toEqual([card.id])
  expect(await of('from=2026-01-02&filter[to]=2026-01-02')).toEqual([card.id])
  expect(await of('from=2026-01-03&filter[to]=2026-01-03')).toEqual([])
  for (const search of ['pi_find', 'PI_FIND1', 're_find1', 'OUT 9', 'dp_find1'])
    expect([search, await of(`search=${search}`)]).toEqual([search, [card.id]])
  for (const search of ['paper 7_', `PAPER 7_1${encodeURIComponent('%')}`, 'BATCH 5', 'CSV 6'])
    expect([search, await of(`search=${search}`)]).toEqual([search, [transfer.id]])
  for (const search of ['i_find1', 're_find', `PAPER${encodeURIComponent('%')}`, 'paper 71'])
    expect([search, await of(`search=${search}`)]).toEqual([search, []])
  const { email } = transfer.client
  expect(await of(`search=${email}`)).toEqual([transfer.id])
  expect((await listed('filter[search]=paper')).map(({ attributes }) => attributes?.reference)).toEqual([
    'PAPER 7_1%',
  ])
  for (const wrong of [
    'provider=paypal',
    'status=lost',
    'amount=1.234',
    'amount=-1',
    'from=2026-13-01',
    'search=ab',
  ])
    expect((await staff.billing.get(`${payments}?filter[${wrong.replace('=', ']=')}`)).status).toBe(400)
})

test('a failed automatic payment says how often the rule failed and when it tries again', async () => {
  const { id, client, rule } = await pay({ status: 'failed', purpose: 'auto_recharge' })
  const read = async () => (await staff.billing.get(`${payments}/${id}`)).one.attributes
  expect(await read()).toMatchObject({ tries: 0, next_at: null, paid_since: false, card_last4: '3184' })
  await sql`update automated_billing_rules set enabled = true, status = 'active', failures = 2, consent_at = now(),
    next_try_at = '2026-11-25T10:00:00Z' where id = ${rule}`.execute(db)
  await sql`insert into payments (client_id, purpose, provider, currency, net, vat, gross, vat_treatment, vat_country, vat_rate,
      status, settled_at, created_at)
    select client_id, 'deposit', 'sandbox', 'USD', 50, 10.50, 60.50, 'domestic', 'RO', 21, 'succeeded', now(),
      created_at + interval '1 hour' from payments where id = ${id}`.execute(db)
  expect(await read()).toMatchObject({ tries: 2, next_at: '2026-11-25T10:00:00Z', paid_since: true })
  expect(await idsOf(`filter[client_id]=${client.id}&filter[state]=settled`)).toHaveLength(1)
})

test('a payment that waits says how often the provider was asked', async () => {
  const { id } = await pay({ looks: 3 })
  expect((await staff.readonly.get(`${payments}/${id}`)).one.attributes).toMatchObject({
    tries: 3,
    next_at: expect.stringMatching(/^20/),
  })
})

test('a dispute says whose payment it is about and until when it is answered', async () => {
  const { id, client } = await pay({ status: 'succeeded', settled_at: '2026-01-02T10:00:00Z' })
  await sql`insert into payment_disputes (payment_id, provider, provider_ref, amount, status, answer_by)
    values (${id}, 'sandbox', 'dp_1', 60.50, 'open', '2026-12-01T12:00:00Z')`.execute(db)
  const { list } = await staff.readonly.get(`${disputes}?filter[status]=open&filter[client_id]=${client.id}`)
  expect(list.map(({ attributes }) => attributes)).toEqual([
    expect.objectContaining({
      payment_id: id,
      client_id: client.id,
      amount: 60.5,
      currency: 'USD',
      answer_by: '2026-12-01T12:00:00Z',
      paid_at: '2026-01-02T10:00:00Z',
    }),
  ])
  expect((await staff.billing.get(`${disputes}?filter[status]=lost`)).list).toEqual([])
})

test('Stripe says until when a dispute is answered, or nothing', () => {
  const of = (evidence_details?: object) =>
    // The rest of Stripe's object says nothing about the day.
    disputeOf({
      id: 'dp_1',
      payment_intent: 'pi_1',
      amount: 6050,
      currency: 'usd',
      status: 'needs_response',
      balance_transactions: [],
      ...(evidence_details && { evidence_details }),
    } as unknown as Stripe.Dispute).answerBy
  expect(of({ due_by: 1_796_126_400 })?.toISOString()).toBe('2026-12-01T12:00:00.000Z')
  expect(of({ due_by: null })).toBeNull()
  expect(of()).toBeNull()
})

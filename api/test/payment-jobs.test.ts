import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { startJobs } from '#start/jobs.ts'
import { addCard, answerBank, keyed, makePayer, pay } from './support/card.ts'
import { makeOperator } from './support/documents.ts'
import { only, TestEngine } from './support/engine.ts'
import { testPostOffice } from './support/mail.ts'
import { movedBalance } from './support/money.ts'
import { testPortal } from './support/portal.ts'

// The queue with payments: late and duplicate sandbox events, automatic payments after a low balance, and refunds.

const portal = await testPortal()
const { pool, connection, payments } = portal
const office = testPostOffice(pool, { clock: systemClock })
const log = pino({ level: 'silent' })
const jobs = await startJobs({ ...office, log, connection, payments, engines: only(new TestEngine()) })
beforeAll(() => makeOperator(pool))
afterAll(() => jobs.stop())

const patience = { timeout: 15_000, interval: 100 }

test('a person who closes the browser after their bank has asked is paid for all the same', async () => {
  const ana = await makePayer(portal)
  const me = portal.as(ana)
  const card = await addCard(portal, ana, '4000 0027 6000 3184')
  const begun = await pay(me, { net: 20 }, { card })
  await answerBank(portal, begun.one.attributes?.challenge_url, 'yes')
  const status = async () => (await me.get(`${base}/transactions/${begun.one.id}`)).one.attributes?.status
  await vi.waitFor(async () => expect(await status()).toBe('succeeded'), patience)
  const refund = await keyed(me, `${base}/transactions/${begun.one.id}/-actions/refund`, {
    reason: 'Not needed',
  })
  expect(refund.status).toBe(200)
  await vi.waitFor(async () => expect(await status()).toBe('refunded'), patience)
  const { rows } = await sql<{ balance: string }>`select trim_scale(account_balance)::text as balance
    from account_balances where client_id = ${ana.id}`.execute(pool.kysely)
  expect(rows).toEqual([{ balance: '0' }])
})

test('a balance that falls below the threshold is charged by itself', async () => {
  const ana = await makePayer(portal, '20')
  const me = portal.as(ana)
  const card = { data: { type: 'cards', id: String(await addCard(portal, ana)) } }
  const rule = await me.post(`${base}/automated-billing-rules`, {
    data: {
      type: 'automated-billing-rules',
      attributes: { threshold_amount: 15, recharge_amount: 50 },
      relationships: { card },
    },
  })
  const consent = 'The portal may charge my card when my balance is low.'
  await me.post(`${base}/automated-billing-rules/${rule.one.id}/-actions/enable`, { consent })
  await movedBalance(pool, ana.id, '-10', '2026-01-02')
  await sql`select graphile_worker.add_job('balances.evaluate')`.execute(pool.kysely)
  const paid = async () => (await me.get(`${base}/transactions?filter[status]=succeeded`)).page.total
  await vi.waitFor(async () => expect(await paid()).toBe(1), patience)
})

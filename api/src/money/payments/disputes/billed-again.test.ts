import { base } from '@portico/contract/wire.ts'
import { beforeEach, expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Account } from '#test/support/account.ts'
import { keyed, pay } from '#test/support/card.ts'
import { beginWithCard, disputesOn } from '#test/support/disputes.ts'
import { businessTime, used } from '#test/support/money.ts'
import { unequalBooks } from '#test/support/money-client/unequal-books.ts'
import type { Visitor } from '#test/support/portal.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'

// A deposit whose used part its bank took back, so that the services are on a second bill.

const parts = await stripePortal()
const { portal, db } = parts
const disputes = disputesOn(parts)
const iban = 'RO49 AAAA 1B31 0075 9384 0000'
let ana: Account
let admin: Visitor

beforeEach(async () => {
  ;({ ana, admin } = await beginWithCard(parts, 2))
})

async function close(month: 10 | 11): Promise<number> {
  await businessTime(portal.pool, `2026-${month + 1}-02T10:00:00Z`)
  const days = { from: `2026-${month}-01`, until: `2026-${month + 1}-01` }
  const bill = await db.transaction().execute((tx) => closeMonth(tx, ana.id, days))
  return bill?.id ?? 0
}

const credited = async (id: number, input: object = {}) =>
  (await keyed(admin, `${base}/invoices/${id}/-actions/creditNote`, { reason: 'Wrong', ...input })).faults
const state = () => disputes.booksOf(ana.id)
const previewed = async (id: number) =>
  (await admin.get(`${base}/invoices/${id}/-actions/previewCredit?payload=%7B%7D`)).faults

/** Refunds all payments of the client while something can be given back; the sum. */
async function refunded(): Promise<number> {
  await businessTime(portal.pool, '2026-12-02T10:00:00Z')
  let sum = 0
  for (const { id } of await disputes.payments(ana.id))
    for (let round = 0; round < 4; round++) {
      const asked = await keyed(admin, `${base}/transactions/${id}/-actions/refund`, {
        reason: 'Leaves',
        iban,
      })
      if (asked.status !== 200) break
      const { refund_id, gross } = JSON.parse(asked.text)
      const transfer = { refund_id, sent_on: '2026-12-02', reference: `OUT ${refund_id}` }
      await keyed(admin, `${base}/transactions/${id}/-actions/recordSentTransfer`, transfer)
      sum += gross
    }
  return Number(sum.toFixed(2))
}

/** A deposit of 50, of which October used 20 on one panel, and its bank took all of it back. */
async function lostDeposit(before = async (_first: number): Promise<unknown> => undefined) {
  await pay(portal.as(ana), { net: 50 })
  const [payment] = await disputes.payments(ana.id)
  if (!payment) throw new Error('Nothing was paid.')
  await used(db, ana, ['2026-10-05'], '20')
  const first = await close(10)
  await before(first)
  await disputes.told('lost', 6050, payment)
  return { first, payment }
}

const whole = { balance: 0, vat_due: 0, vat: 0, advances: 0, owed: 0, alerts: 0 }
const twice = ['409 credited_elsewhere']

test('services that a second bill asks for are credited there, and its payment is given back once', async () => {
  const { first } = await lostDeposit()
  const second = await close(11)
  await pay(portal.as(ana), { purpose: 'service_bill', invoice_id: second })
  expect([await credited(first), await credited(first, { lines: [1] }), await previewed(first)]).toEqual([
    twice,
    twice,
    twice,
  ])
  expect(await credited(second)).toEqual([])
  expect(await unequalBooks(db, ana.id, 60.5)).toEqual([])
  expect([await refunded(), await state()]).toEqual([24.2, expect.objectContaining(whole)])
  expect(await verifyLedger(db)).toEqual([])
})

test.each(['before', 'after'])(
  'a deposit won back %s the second bill is credited is given back once',
  async (when) => {
    const { first, payment } = await lostDeposit()
    const second = await close(11)
    if (when === 'before') await disputes.told('won', 6050, payment)
    expect(await credited(second)).toEqual([])
    if (when === 'after') await disputes.told('won', 6050, payment)
    expect(await credited(first)).toEqual(twice)
    expect(await unequalBooks(db, ana.id, 0)).toEqual([])
    expect([await refunded(), await state()]).toEqual([60.5, expect.objectContaining(whole)])
    expect(await verifyLedger(db)).toEqual([])
  },
)

const early: Readonly<Record<string, () => Promise<number>>> = {
  'its lines before the loss': async () =>
    (await lostDeposit(async (first) => expect(await credited(first, { lines: [1] })).toEqual([]))).first,
  'its lines before the second bill': async () => {
    const { first } = await lostDeposit()
    expect(await credited(first, { lines: [1] })).toEqual([])
    return first
  },
  'the whole before the second bill': async () => {
    const { first } = await lostDeposit()
    expect(await credited(first)).toEqual([])
    return first
  },
}

test.each(Object.keys(early))(
  'where the first bill was credited, %s, the second one is not, but its other services are',
  async (how) => {
    await early[how]?.()
    await used(db, { ...ana, panels: [ana.panels[1] ?? 0] }, ['2026-11-05'], '5')
    const second = await close(11)
    expect([await credited(second), await credited(second, { lines: [2] })]).toEqual([twice, twice])
    expect(await credited(second, { lines: [1] })).toEqual([])
    expect(await state()).toMatchObject({ balance: 0, vat_due: 0, owed: 0 })
    expect(await unequalBooks(db, ana.id, 60.5)).toEqual([])
    expect(await verifyLedger(db)).toEqual([])
  },
)

test('the first bill is credited once the part that waits for a second one is won back', async () => {
  const { first, payment } = await lostDeposit()
  await disputes.told('won', 6050, payment)
  expect(await credited(first)).toEqual([])
  expect([await refunded(), await state()]).toEqual([60.5, expect.objectContaining(whole)])
})

test('a bill is credited for as much of a deposit as no later bill asks for', async () => {
  await pay(portal.as(ana), { net: 50 })
  const [payment] = await disputes.payments(ana.id)
  if (!payment) throw new Error('Nothing was paid.')
  await used(db, ana, ['2026-10-05'], '20')
  await used(db, { ...ana, panels: [ana.panels[1] ?? 0] }, ['2026-10-05'], '30')
  const first = await close(10)
  // 20.00 of the 50.00 and their VAT.
  await disputes.told('lost', 2420, payment)
  await close(11)
  expect(await credited(first)).toEqual(twice)
  expect(await credited(first, { lines: [2] })).toEqual([])
  expect(await credited(first, { lines: [1] })).toEqual(twice)
  expect(await unequalBooks(db, ana.id, 24.2)).toEqual([])
  expect(await verifyLedger(db)).toEqual([])
})

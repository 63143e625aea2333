import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Account } from '#test/support/account.ts'
import { keyed, makePayer, pay } from '#test/support/card.ts'
import { makeBuyer } from '#test/support/documents.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const { portal, db, stripe, addCard, deliver, workOff } = await stripePortal()
const staff = portal.staff(await makeAdmin(portal.pool, 'admin'))
let client: Account

beforeEach(async () => {
  client = await makePayer(portal)
  await makeBuyer(portal.pool, client, { country: 'RO' })
  await addCard(client)
})
afterEach(async () => {
  expect(await verifyLedger(db)).toEqual([])
})

/** A bill of 100.00 and 21.00 VAT. */
async function billed(): Promise<number> {
  const lines = [{ description_en: 'Set-up', quantity: 1, unit_price: 100 }]
  const made = await keyed(staff, `${base}/desk-clients/${client.id}/-actions/manualInvoice`, { lines })
  expect(made.faults).toEqual([])
  return JSON.parse(made.text).invoice_id
}

const payByCard = async (bill: number): Promise<void> =>
  expect((await pay(portal.as(client), { purpose: 'service_bill', invoice_id: bill })).status).toBe(201)

/** Records that a transfer of today paid a bill. */
async function payByTransfer(bill: number, reference: string): Promise<void> {
  const { rows } = await sql<{ day: string }>`select operator_today() as day`.execute(db)
  const input = { amount: 121, received_on: rows[0]?.day, reference: `${reference} ${bill}` }
  const done = await keyed(staff, `${base}/invoices/${bill}/-actions/recordBankTransfer`, { data: input })
  expect(done.faults).toEqual([])
}

/** The bank of the client takes back the card payment, or gives it back. */
async function decided(status: 'lost' | 'won', round = 1): Promise<void> {
  const { provider_ref } = await db
    .selectFrom('payments')
    .select('provider_ref')
    .where('client_id', '=', client.id)
    .where('provider', '<>', 'bank')
    .executeTakeFirstOrThrow()
  const id = `dp_${client.id}_${round}`
  const about = { object: 'dispute', payment_intent: provider_ref, currency: 'usd', amount: 12_100 }
  stripe.things.set(id, { id, ...about, status, balance_transactions: [] })
  await deliver(stripe.event('charge.dispute.updated', { id }))
  await workOff()
}

const creditTo = async (to: 'card' | 'bank', bill: number): Promise<string[]> => {
  const iban = to === 'bank' ? { iban: 'RO49 AAAA 1B31 0075 9384 0000' } : {}
  const input = { data: { reason: 'Wrong', to, ...iban } }
  return (await keyed(staff, `${base}/invoices/${bill}/-actions/creditNote`, input)).faults
}

test('a bill that a transfer paid after its card payment was lost goes to the bank, and the bill that the card paid then to the card', async () => {
  const first = await billed()
  await payByCard(first)
  await decided('lost')
  await payByTransfer(first, 'PB')
  const second = await billed()
  await decided('won')
  expect(await creditTo('card', first)).toEqual(['409 credit_note_no_payment'])
  expect(await creditTo('bank', first)).toEqual([])
  expect(await creditTo('card', second)).toEqual([])
})

test('a bill that its card payment paid again after a won dispute is still the card’s, until that is lost for another bill', async () => {
  const first = await billed()
  await payByCard(first)
  await decided('lost')
  await decided('won')
  await decided('lost', 2)
  await payByTransfer(first, 'PC')
  const second = await billed()
  await decided('won', 2)
  expect(await creditTo('card', first)).toEqual(['409 credit_note_no_payment'])
  expect(await creditTo('card', second)).toEqual([])
})

test('a bill whose card payment was lost and came back for it is credited to the card', async () => {
  const first = await billed()
  await payByCard(first)
  await decided('lost')
  await decided('won')
  expect(await creditTo('card', first)).toEqual([])
})

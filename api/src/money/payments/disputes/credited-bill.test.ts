import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { keyed, makePayer, pay } from '#test/support/card.ts'
import { makeBuyer } from '#test/support/documents.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const { portal, db, stripe, addCard, deliver, workOff } = await stripePortal()

test('a bill that was credited in part is open by what the bank took back, and settled when it comes back', async () => {
  const client = await makePayer(portal)
  await makeBuyer(portal.pool, client, { country: 'RO' })
  await addCard(client)
  const staff = portal.staff(await makeAdmin(portal.pool, 'admin'))
  const line = { description_en: 'Set-up', quantity: 1, unit_price: 16 }
  const made = await keyed(staff, `${base}/desk-clients/${client.id}/-actions/manualInvoice`, {
    lines: [line],
  })
  const { invoice_id: bill } = JSON.parse(made.text)
  expect((await pay(portal.as(client), { purpose: 'service_bill', invoice_id: bill })).status).toBe(201)
  await keyed(staff, `${base}/invoices/${bill}/-actions/creditNote`, { reason: 'Too much', net: 3 })
  const payment = await db
    .selectFrom('payments')
    .select(['id', 'provider_ref', 'gross'])
    .where('client_id', '=', client.id)
    .executeTakeFirstOrThrow()
  const told = async (status: 'lost' | 'won') => {
    stripe.things.set('dp_1', {
      id: 'dp_1',
      object: 'dispute',
      payment_intent: payment.provider_ref,
      currency: 'usd',
      amount: 295,
      status,
      balance_transactions: [],
    })
    await deliver(stripe.event('charge.dispute.updated', { id: 'dp_1' }))
    await workOff()
  }
  const state = async () => {
    const { rows } = await sql`select s.code, (i.total - i.paid - i.credited)::text as open,
        (select trim_scale(balance)::text from ledger_accounts where client_id = ${client.id} and kind = 'client_vat_due') as vat_due
      from invoices i join invoice_statuses s on s.id = i.invoice_status_id where i.id = ${bill}`.execute(db)
    return rows[0]
  }
  await told('lost')
  expect(await state()).toEqual({ code: 'partially_paid', open: '2.95', vat_due: '-0.51' })
  await told('won')
  expect(await state()).toEqual({ code: 'paid', open: '0.00', vat_due: '0' })
})

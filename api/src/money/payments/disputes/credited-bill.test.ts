import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { keyed, makePayer, pay } from '#test/support/card.ts'
import { makeBuyer } from '#test/support/documents.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const { portal, db, stripe, addCard, deliver, workOff } = await stripePortal()

/**
 * A client in Romania who has paid a manual invoice of 16.00 and 3.36 VAT, alone or with more, of which staff then credited a
 * part; another invoice of 10.00 and 2.10 VAT may be paid with it.
 */
async function creditedBill(net: number | undefined, paid?: { net: number }, isOneOfTwo = false) {
  const client = await makePayer(portal)
  await makeBuyer(portal.pool, client, { country: 'RO' })
  await addCard(client)
  const staff = portal.staff(await makeAdmin(portal.pool, 'admin'))
  const billed = async (price: number): Promise<number> => {
    const line = { description_en: 'Set-up', quantity: 1, unit_price: price }
    const made = await keyed(staff, `${base}/desk-clients/${client.id}/-actions/manualInvoice`, {
      lines: [line],
    })
    return JSON.parse(made.text).invoice_id
  }
  const bill = await billed(16)
  if (isOneOfTwo) await billed(10)
  const wish = paid ?? { purpose: 'service_bill', invoice_id: bill }
  expect((await pay(portal.as(client), wish)).status).toBe(201)
  const credited = await keyed(staff, `${base}/invoices/${bill}/-actions/creditNote`, {
    reason: 'Too much',
    ...(net && { net }),
  })
  const { deposit_id: deposit } = JSON.parse(credited.text)
  const payment = await db
    .selectFrom('payments')
    .select(['id', 'provider_ref'])
    .where('client_id', '=', client.id)
    .executeTakeFirstOrThrow()
  const told = async (status: 'lost' | 'won', amount: number) => {
    const id = `dp_${payment.id}_${amount}`
    const balance_transactions: never[] = []
    const about = { object: 'dispute', payment_intent: payment.provider_ref, currency: 'usd' }
    stripe.things.set(id, { id, ...about, amount, status, balance_transactions })
    await deliver(stripe.event('charge.dispute.updated', { id }))
    await workOff()
  }
  /** The bill, the deposit of its credit note, and what the client owes and has by the ledger. */
  const state = async () => {
    const { rows } = await sql<Record<string, string>>`
      select s.code, round(greatest(i.total - i.paid - i.credited, 0), 2)::text as open, (d.total - d.credited)::text as deposit,
        (select trim_scale(balance)::text from ledger_accounts where client_id = ${client.id} and kind = 'client_vat_due') as vat_due,
        (select trim_scale(balance)::text from ledger_accounts where client_id = ${client.id} and kind = 'client_balance') as balance
      from invoices i join invoice_statuses s on s.id = i.invoice_status_id, invoices d
      where i.id = ${bill} and d.id = ${deposit}`.execute(db)
    return rows[0]
  }
  const alerts = async () => {
    const { rows } = await sql<{ kind: string }>`select kind from staff_alerts
      where about = ${`payment ${payment.id}`} and kind <> 'disputed' and resolved_at is null`.execute(db)
    return rows.map(({ kind }) => kind)
  }
  return { told, state, alerts }
}

test('what a credit note took off a paid bill is lost first, with its VAT, and comes back as a deposit', async () => {
  const { told, state } = await creditedBill(3)
  expect(await state()).toEqual({ code: 'paid', open: '0.00', deposit: '3.63', vat_due: '0', balance: '3' })
  await told('lost', 295)
  expect(await state()).toEqual({
    code: 'paid',
    open: '0.00',
    deposit: '0.68',
    vat_due: '0',
    balance: '0.56',
  })
  await told('won', 295)
  expect(await state()).toMatchObject({ code: 'paid', open: '0.00', vat_due: '0', balance: '3' })
})

test('beyond its deposit the bill is open by what counted as paid, and owes the VAT of that', async () => {
  const { told, state, alerts } = await creditedBill(3)
  await told('lost', 1936)
  expect(await state()).toEqual({
    code: 'unpaid',
    open: '15.73',
    deposit: '0.00',
    vat_due: '-2.73',
    balance: '-13',
  })
  await told('won', 1936)
  expect(await state()).toMatchObject({ code: 'paid', open: '0.00', vat_due: '0', balance: '3' })
  expect(await alerts()).toEqual([])
})

test('of a bill that was credited whole nothing is left to pay, and no VAT is due', async () => {
  const { told, state } = await creditedBill(undefined)
  expect(await state()).toMatchObject({ code: 'refunded', deposit: '19.36', vat_due: '0', balance: '16' })
  await told('lost', 1936)
  expect(await state()).toEqual({
    code: 'refunded',
    open: '0.00',
    deposit: '0.00',
    vat_due: '0',
    balance: '0',
  })
})

test('what came back for a bill that was credited whole is lost again as the deposit that it became', async () => {
  // Of 36.30 the bill takes 19.36, and the rest is a deposit of the payment's own.
  const { told, state, alerts } = await creditedBill(undefined, { net: 30 })
  const kept = { code: 'refunded', open: '0.00', vat_due: '0', balance: '30' }
  expect(await state()).toMatchObject(kept)
  for (let round = 0; round < 2; round++) {
    await told('lost', 3630)
    expect(await state()).toMatchObject({ ...kept, balance: '0' })
    await told('won', 3630)
    expect(await state()).toMatchObject(kept)
  }
  expect(await alerts()).toEqual([])
})

test('a deposit that came back for one of two bills counts once when their payment is lost again', async () => {
  const { told, state, alerts } = await creditedBill(undefined, { net: 26 }, true)
  const kept = { code: 'refunded', open: '0.00', vat_due: '0', balance: '16' }
  expect(await state()).toMatchObject({ ...kept, deposit: '19.36' })
  for (let round = 0; round < 3; round++) {
    await told('lost', 3146)
    expect(await state()).toMatchObject({ code: 'refunded', vat_due: '-2.1', balance: '-10' })
    await told('won', 3146)
    expect(await state()).toMatchObject(kept)
  }
  expect(await alerts()).toEqual([])
})

test('a second dispute takes what the first one left, and more than that is alerted', async () => {
  const { told, state, alerts } = await creditedBill(3)
  await told('lost', 500)
  await told('lost', 1436)
  expect(await state()).toMatchObject({ open: '15.73', deposit: '0.00', vat_due: '-2.73', balance: '-13' })
  await told('lost', 1)
  expect(await alerts()).toEqual(['dispute_differs'])
})

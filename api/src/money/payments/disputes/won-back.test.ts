import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { keyed, makePayer, pay } from '#test/support/card.ts'
import { makeBuyer, newSeries } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import { unequalBooks } from '#test/support/money-client/unequal-books.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const { portal, db, stripe, addCard, deliver, workOff } = await stripePortal()

const iban = 'RO49 AAAA 1B31 0075 9384 0000'

/** Closes a month of 2026 on the second day of the next one. */
async function close({ id }: { readonly id: number }, month: 10 | 11): Promise<void> {
  await businessTime(portal.pool, `2026-${month + 1}-02T10:00:00Z`)
  const days = { from: `2026-${month}-01`, until: `2026-${month + 1}-01` }
  await db.transaction().execute((tx) => closeMonth(tx, id, days))
}

/**
 * A payment of 12.10, of which a bill got 10.74 and 1.36 is a deposit, that its bank took back; the bill is open again. October may
 * have used some of the deposit before.
 */
async function lostPayment(use?: string) {
  await businessTime(portal.pool, '2026-10-03T10:00:00Z')
  await newSeries(portal.pool)
  const client = await makePayer(portal)
  await makeBuyer(portal.pool, client, { country: 'RO' })
  await addCard(client)
  const staff = portal.staff(await makeAdmin(portal.pool, 'admin'))
  const act = async (path: string, input: object) => {
    const { faults, text } = await keyed(staff, `${base}/${path}`, input)
    expect(faults).toEqual([])
    return JSON.parse(text)
  }
  const line = { description_en: 'Set-up', quantity: 1, unit_price: 8.88 }
  const made = await act(`desk-clients/${client.id}/-actions/manualInvoice`, { lines: [line] })
  const id = Number((await pay(portal.as(client), { net: 10 })).one.id)
  const { provider_ref } = await db
    .selectFrom('payments')
    .select('provider_ref')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const told = async (status: 'lost' | 'won') => {
    const dispute = { id: `dp_${id}`, object: 'dispute', payment_intent: provider_ref, currency: 'usd' }
    stripe.things.set(dispute.id, { ...dispute, amount: 1210, status, balance_transactions: [] })
    await deliver(stripe.event('charge.dispute.updated', { id: dispute.id }))
    await workOff()
    expect(await unequalBooks(db, client.id, status === 'lost' ? 12.1 : 0)).toEqual([])
  }
  if (use !== undefined) {
    await used(db, client, ['2026-10-03'], use)
    await close(client, 10)
  }
  await told('lost')
  return { client, bill: made.invoice_id, id, told, act }
}

type Lost = Awaited<ReturnType<typeof lostPayment>>

/** Refunds a payment so many times; the amounts. */
async function refunded({ id, act }: Lost, rounds: number, sent_on: string): Promise<number[]> {
  const sent: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { gross, refund_id } = await act(`transactions/${id}/-actions/refund`, { reason: 'Wrong', iban })
    sent.push(gross)
    const transfer = { refund_id, sent_on, reference: `OUT ${refund_id}` }
    await act(`transactions/${id}/-actions/recordSentTransfer`, transfer)
  }
  return sent.toSorted((a, b) => a - b)
}

const ends: Readonly<Record<string, (lost: Lost) => Promise<unknown>>> = {
  'was paid by another payment': ({ client }) => pay(portal.as(client), { net: 20 }),
  'was credited': ({ bill, act }) => act(`invoices/${bill}/-actions/creditNote`, { reason: 'Wrong' }),
}

test.each(Object.keys(ends))(
  'money won back for a bill that %s meanwhile is refunded from its payment',
  async (end) => {
    const lost = await lostPayment()
    await ends[end]?.(lost)
    await lost.told('won')
    expect(await refunded(lost, 2, '2026-10-03')).toEqual([1.36, 10.74])
    expect(await verifyLedger(db)).toEqual([])
  },
)

test('what a deposit that was won back paid of a month ahead goes back to its card when the bill is credited', async () => {
  const lost = await lostPayment()
  await ends['was credited']?.(lost)
  await lost.told('won')
  await used(db, lost.client, ['2026-10-03'], '10')
  await close(lost.client, 10)
  const month = await db
    .selectFrom('invoices')
    .select(['id', 'total'])
    .where('client_id', '=', lost.client.id)
    .where('reason', '=', 'service_bill')
    .executeTakeFirstOrThrow()
  expect(month.total).toBe('0.00')
  const back = { reason: 'Wrong hours', lines: [1], to: 'card' }
  const { refund_id } = await lost.act(`invoices/${month.id}/-actions/creditNote`, back)
  const { rows } =
    await sql`select payment_id, gross::float from payment_refunds where id = ${refund_id}`.execute(db)
  expect(rows).toEqual([{ payment_id: lost.id, gross: 12.1 }])
  expect(await verifyLedger(db)).toEqual([])
})

test('what was used of money won back is a debt when it is lost again, and the bill that another payment paid stays paid', async () => {
  const { client, bill, told } = await lostPayment()
  await pay(portal.as(client), { net: 20 })
  await told('won')
  await used(db, client, ['2026-10-03'], '26')
  await close(client, 10)
  await told('lost')
  const { rows } =
    await sql`select s.code from invoices i join invoice_statuses s on s.id = i.invoice_status_id
    where i.id = ${bill}`.execute(db)
  expect(rows).toEqual([{ code: 'paid' }])
  expect(await verifyLedger(db)).toEqual([])
})

test('the rest of a deposit is refunded, although its used part was billed again and another payment paid a bill that it lost', async () => {
  const lost = await lostPayment('1')
  await lost.told('won')
  await lost.told('lost')
  await close(lost.client, 11)
  await pay(portal.as(lost.client), { net: 20 })
  await lost.told('won')
  // The rest of the deposit, the part that the month had used, and the bill.
  expect(await refunded(lost, 3, '2026-12-02')).toEqual([0.15, 1.21, 10.74])
})

test.each([5.01, 7.77])(
  'a payment is lost again to the cent after %d of its bill was paid otherwise and the rest of it came back',
  async (amount) => {
    const { client, bill, told, act } = await lostPayment()
    const wire = { amount, received_on: '2026-10-03', reference: `W ${bill}` }
    await act(`invoices/${bill}/-actions/recordBankTransfer`, wire)
    await told('won')
    await told('lost')
    const { rows } = await sql`select sum(p.net + p.vat)::float as lost, bool_or(p.kind = 'debt') as debt
    from dispute_parts p where p.client_id = ${client.id} and p.returned_at is null`.execute(db)
    expect(rows).toEqual([{ lost: 12.1, debt: false }])
  },
)

import { summedAtOnce } from '@portico/contract/resources/month-closes.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { closeDueMonth } from '#money/invoices/month/close-run.ts'
import type { Account } from '#test/support/account.ts'
import { makePayer, pay } from '#test/support/card.ts'
import { newSeries } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import { billedVat, newestDocument, previewedVat } from '#test/support/month-vat.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const { stripe, portal, db, addCard, deliver, workOff } = await stripePortal()
const { pool } = portal
const billing = portal.staff(await makeAdmin(pool, 'billing'))

const close = () =>
  closeDueMonth(db, (_, error) => {
    throw error
  })

beforeEach(async () => {
  await businessTime(pool, '2026-09-03T10:00:00Z')
  await newSeries(pool)
})

type Buyer = Parameters<typeof makePayer>[2]

async function using(buyer: Buyer, dollars: string, days = ['2026-10-10']): Promise<Account> {
  const client = await makePayer(portal, null, buyer)
  await used(db, client, days, dollars)
  return client
}

async function paysIn(client: Account, net: number): Promise<void> {
  await addCard(client)
  expect((await pay(portal.as(client), { net })).status).toBe(201)
}

/** The bank takes back the payment of a client. */
async function loses(client: Account): Promise<void> {
  const { provider_ref, gross } = await db
    .selectFrom('payments')
    .select(['provider_ref', 'gross'])
    .where('client_id', '=', client.id)
    .executeTakeFirstOrThrow()
  const id = `dp_${client.id}`
  const thing = { id, object: 'dispute', payment_intent: provider_ref, currency: 'usd', status: 'lost' }
  stripe.things.set(id, { ...thing, amount: Number(gross) * 100, balance_transactions: [] })
  expect(await deliver(stripe.event('charge.dispute.updated', { id }))).toBe(200)
  await workOff()
}

test('the sums by rate of VAT are those of the bills that the close then makes', async () => {
  const lost = await makePayer(portal, null, { country: 'HU', company: false })
  await paysIn(lost, 5)
  await used(db, lost, ['2026-09-04'], '5')
  await businessTime(pool, '2026-10-02T10:00:00Z')
  await close()
  // Its deposit was used, and is owed again without any charges.
  await loses(lost)
  const ahead = await makePayer(portal, null, {})
  await paysIn(ahead, 40)
  await used(db, ahead, ['2026-10-10'], '100.005')
  await using({}, '10.235')
  await using({ country: 'DE', company: false }, '3.335')
  await using({ country: 'US', company: false }, '7')
  await businessTime(pool, '2026-11-02T10:00:00Z')

  const before = await newestDocument(db)
  expect((await billing.get(`${base}/month-closes/1`)).one.attributes?.waiting).toBe(5)
  const { sums, totals, ...left } = await previewedVat(billing)
  expect(left).toEqual({ refused: 0, uncharged: 0, later: 0, counted: 5, next: null })
  expect(totals).toEqual([{ currency: 'USD', bills: 5, net: 85.59, vat: 16.73, gross: 102.32 }])
  expect(await newestDocument(db)).toBe(before)
  await close()
  const billed = await billedVat(db, before)
  expect(billed).toHaveLength(4)
  expect(sums).toEqual(billed)
  expect((await previewedVat(billing)).counted).toBe(0)
})

test('bills that cannot be made yet are counted beside the sums', async () => {
  const nowhere = await using({}, '1')
  await sql`update client_entities set city = null where client_id = ${nowhere.id}`.execute(db)
  const late = await using({}, '2')
  await used(db, late, ['2026-10-11'], '2', { charged: false })
  await using({}, '10', ['2026-09-10', '2026-10-10'])
  await businessTime(pool, '2026-11-02T10:00:00Z')
  expect(await previewedVat(billing)).toEqual({
    sums: [
      { currency: 'USD', country: 'RO', category: 'S', rate: 21, bills: 1, net: 10, vat: 2.1, gross: 12.1 },
    ],
    totals: [{ currency: 'USD', bills: 1, net: 10, vat: 2.1, gross: 12.1 }],
    refused: 1,
    uncharged: 1,
    later: 1,
    counted: 3,
    next: null,
  })
})

test('more clients than one answer adds up are in the next ones', async () => {
  for (let n = 0; n <= summedAtOnce; n++) await using({}, '1')
  await businessTime(pool, '2026-11-02T10:00:00Z')
  const first = await previewedVat(billing)
  expect(first.counted).toBe(summedAtOnce)
  const second = await previewedVat(billing, first.next)
  expect(second).toMatchObject({ next: null, totals: [{ currency: 'USD' }] })
  expect(first.counted + second.counted).toBe(summedAtOnce + 4)
})

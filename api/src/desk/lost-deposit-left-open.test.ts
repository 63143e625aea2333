import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import { makePayer, pay } from '#test/support/card.ts'
import { disputesOn } from '#test/support/disputes.ts'
import { makeBuyer } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const stripe = await stripePortal()
const { portal, db, addCard } = stripe
const { payments, told } = disputesOn(stripe)
const staff = portal.staff(await makeAdmin(portal.pool, 'billing'))

/** How many clients the card of the home counts whose bill a month has left; undefined without the card. */
async function leftOpen(): Promise<number | undefined> {
  const answer = await staff.get(`${base}/desk-home/-actions/needs`)
  expect(answer.status).toBe(200)
  const { needs } = answer.json as { needs: { need: string; count: number }[] }
  return needs.find(({ need }) => need === 'month_open')?.count
}

const close = (id: number, from: string, until: string) =>
  db.transaction().execute((tx) => closeMonth(tx, id, { from, until }))

test('a client who owes a month nothing but a deposit that its bank took back is left open until the close bills it', async () => {
  await businessTime(portal.pool, '2026-10-03T10:00:00Z')
  const client = await makePayer(portal)
  await makeBuyer(portal.pool, client, { country: 'RO' })
  await addCard(client)
  expect((await pay(portal.as(client), { net: 10 })).status).toBe(201)
  await used(db, client, ['2026-10-03'], '10')
  await businessTime(portal.pool, '2026-11-02T10:00:00Z')
  expect(await leftOpen()).toBe(1)
  await close(client.id, '2026-10-01', '2026-11-01')
  expect(await leftOpen()).toBeUndefined()

  const [payment] = await payments(client.id)
  if (payment === undefined) throw new Error('Nothing was paid.')
  await told('lost', 1210, payment)
  // The month of the loss has not ended.
  expect(await leftOpen()).toBeUndefined()
  await businessTime(portal.pool, '2026-12-02T10:00:00Z')
  const { rows: charges } = await sql`select from usage_charges where client_id = ${client.id}
    and usage_on >= '2026-11-01'`.execute(db)
  expect(charges).toEqual([])
  expect(await leftOpen()).toBe(1)
  const bill = await close(client.id, '2026-11-01', '2026-12-01')
  expect(bill).toMatchObject({ id: expect.any(Number) })
  expect(await leftOpen()).toBeUndefined()
})

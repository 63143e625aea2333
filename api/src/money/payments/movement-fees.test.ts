import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { makePayer, pay } from '#test/support/card.ts'
import { makeBuyer } from '#test/support/documents.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { reconcile } from './reconcile.ts'

const { portal, db, stripe, addCard, paymentScope } = await stripePortal()
let payment: number

/** A payment of 50 and 10.50 VAT by card. */
beforeEach(async () => {
  const ana = await makePayer(portal)
  await makeBuyer(portal.pool, ana, { country: 'RO' })
  await addCard(ana)
  await pay(portal.as(ana), { net: 50 })
  const { rows } = await sql<{ id: number }>`select id from payments where client_id = ${ana.id}`.execute(db)
  payment = rows[0]?.id ?? 0
})

const compare = () => reconcile(paymentScope, () => undefined)

async function fees() {
  const { rows } = await sql`select a.code, e.amount from ledger_transactions t
    join ledger_entries e on e.transaction_id = t.id join ledger_accounts a on a.id = e.account_id
    where t.kind = 'provider_fee' and t.source_type = 'payment' and t.source_id = ${payment} order by a.code`.execute(
    db,
  )
  return rows
}

// 1.5 % of 60.50, and 0.25.
const taken = [
  { code: 'fees:RON', amount: '-1.160000' },
  { code: 'psp:stripe:RON', amount: '1.160000' },
]

test('what Stripe took for a charge is a cost once, in the currency of the account', async () => {
  await compare()
  await compare()
  expect(await fees()).toEqual(taken)
})

test('fees of days in which no comparison succeeded are posted with the next one', async () => {
  stripe.movedHoursAgo = 24 * 5
  await compare()
  expect(await fees()).toEqual([])
  await db.transaction().execute(async (tx) => {
    // Only so do postings of the past change: the last fee is six days old.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update ledger_transactions set created_at = now() - interval '6 days'
      where kind = 'provider_fee'`.execute(tx)
  })
  await compare()
  await compare()
  expect(await fees()).toEqual(taken)
})

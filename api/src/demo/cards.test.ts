import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { paymentScopeOn } from '#money/payments/payment-scope.ts'
import { makePayer } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { testVault } from '#test/support/mail.ts'
import { testPortal } from '#test/support/portal.ts'
import { payByCards, seedCards } from './cards.ts'

const portal = await testPortal()
const paymentScope = paymentScopeOn({ pool: portal.pool, vault: testVault, payments: portal.payments })

test('Ana has two cards and automatic payment, Ioana one that is declined; seeded again nothing changes', async () => {
  await makeOperator(portal.pool)
  const [ana, ioana] = [await makePayer(portal, '40'), await makePayer(portal)]
  for (const [one, email] of [
    [ana, 'ana@demo.test'],
    [ioana, 'ioana@demo.test'],
  ] as const)
    await sql`update clients set email = ${email} where id = ${one.id}`.execute(portal.pool.kysely)
  for (const _ of ['once', 'again']) {
    await seedCards(paymentScope)
    await payByCards(paymentScope)
  }
  const cards = (await portal.as(ana).get(`${base}/cards`)).list
  expect(cards.map(({ attributes }) => [attributes?.last4, attributes?.is_default])).toEqual([
    ['4242', true],
    ['3155', false],
  ])
  const [rule] = (await portal.as(ana).get(`${base}/automated-billing-rules`)).list
  expect(rule?.attributes).toMatchObject({ status: 'active', threshold_amount: 15, recharge_amount: 50 })
  const [declined, ...others] = (await portal.as(ioana).get(`${base}/transactions`)).list
  expect(declined?.attributes).toMatchObject({ status: 'failed', failure_code: 'card_declined', net: 25 })
  expect(others).toEqual([])
})

import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { requestCard } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { testPortal } from '#test/support/portal.ts'
import { makePayments } from './providers/providers.ts'

// A portal in production whose provider nobody has set yet.
const payments = makePayments({ stripe: undefined, sandbox: false }, {} as never)
const portal = await testPortal({ payments: () => payments })
await makeOperator(portal.pool)
const me = portal.as(await makeAccount(portal.pool))

test('without a payment provider no card is taken, and the answer says so', async () => {
  expect(payments.isOpen).toBe(false)
  const { errors } = await requestCard(me)
  expect(errors.map(({ status, code, detail }) => [status, code, detail])).toEqual([
    ['409', 'payments_not_open', 'The operator does not take card payments yet.'],
  ])
})

import { expect, test } from 'vitest'
import { makePayer, pay } from '#test/support/card.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { processEvent } from './inbox.ts'
import type { PaymentScope } from './payment-scope.ts'

// Messages about payments: money that nobody here asked for, and money of the portal's own that is just being stored.

const { stripe, portal, db, paymentScope, addCard } = await stripePortal()

const alertsAbout = (ref: string) =>
  db.selectFrom('staff_alerts').select(['kind', 'about']).where('about', '=', `stripe ${ref}`).execute()

const told = (objectRef: string, scope: PaymentScope = paymentScope) =>
  processEvent(scope, { provider: 'stripe', about: 'payment', objectRef })

test('money that the portal did not ask for is an alert, once', async () => {
  await told('pi_of_somebody')
  await told('pi_of_somebody')
  expect(await alertsAbout('pi_of_somebody')).toEqual([
    { kind: 'unknown_payment', about: 'stripe pi_of_somebody' },
  ])
})

/** The scope of a job whose reads are counted; after the nth something else happens before it goes on. */
function interrupted(nth: number, happening: () => Promise<unknown>): PaymentScope {
  let reads = 0
  return {
    ...paymentScope,
    within: async (work) => {
      const read = await paymentScope.within(work)
      reads += 1
      if (reads === nth) await happening()
      return read
    },
  }
}

test.each([1, 2, 3])(
  'a payment that is stored after read %i of its own message is no unknown money',
  async (nth) => {
    const ana = await makePayer(portal)
    const card = await addCard(ana)
    const answered = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    stripe.interruptNext(/POST \/v1\/payment_intents$/, () => {
      asked.resolve()
      return answered.promise
    })
    const paying = pay(portal.as(ana), { net: 20 }, { card })
    await asked.promise
    const ref = [...stripe.things.values()].findLast(({ object }) => object === 'payment_intent')?.id ?? ''
    let stored = ''
    const storing = async () => {
      answered.resolve()
      stored = String((await paying).one.attributes?.status)
    }
    await told(ref, interrupted(nth, storing))
    expect(stored).toBe('succeeded')
    expect(await alertsAbout(ref)).toEqual([])
  },
)

import { expect, test } from 'vitest'
import { liveAsClient } from '#test/support/money-client/money-client.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { isWhole, runSeed } from '#test/support/sweep.ts'
import { wish } from '#test/support/wish.ts'

// Clients to whom everything happens that can happen to money, in any order: after each step ledger, documents and provider agree.

const stripe = await stripePortal()
const clients = wish('RANDOM_CLIENTS', isWhole ? 200 : 4)
const steps = wish('RANDOM_STEPS', isWhole ? 40 : 15)

test.each(Array.from({ length: clients }, (_, n) => runSeed + n))(
  'the books of a client stay equal through random payments, refunds, disputes, corrections and moves: seed %i',
  async (seed) => {
    const { done } = await liveAsClient(stripe, seed, steps)
    expect(done).toHaveLength(steps)
  },
  isWhole ? 300_000 : 60_000,
)

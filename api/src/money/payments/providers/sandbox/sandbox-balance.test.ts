import { dayMs } from '@portico/contract/time.ts'
import { expect, test } from 'vitest'
import { heldAt, payoutsIn } from './sandbox-balance.ts'
import type { SandboxObject, SandboxStore } from './sandbox-objects.ts'

const day = (n: number, hours = 0) => new Date(Date.UTC(2026, 9, n, hours))

const charge = (ref: string, amount: string, at: Date) => ({
  ref,
  kind: 'payment' as const,
  body: { status: 'succeeded', amount, currency: 'USD' },
  at,
})

const made = [
  charge('pi_1', '10.00', day(1, 12)),
  charge('pi_2', '20.00', day(2, 12)),
  {
    ref: 're_1',
    kind: 'refund' as const,
    body: { status: 'succeeded', amount: '4.00', paymentRef: 'pi_1' },
    at: day(2, 13),
  },
  charge('pi_3', '30.00', day(3, 12)),
]
const dispute: SandboxObject = {
  ref: 'dp_1',
  kind: 'dispute',
  body: { paymentRef: 'pi_1', amount: '10.00', status: 'lost' },
}

// The parts of a store that are read.
const store = {
  between: async (from: Date, until: Date) => made.filter(({ at }) => at >= from && at < until),
  get: async (ref: string) => made.find((one) => one.ref === ref),
  disputes: async () => [dispute],
} satisfies Partial<SandboxStore> as unknown as SandboxStore // Nothing else is called.

async function paidOut(until: Date) {
  const all: [string, string][] = []
  for await (const { ref, amount } of payoutsIn(store, new Date(day(1).getTime() - dayMs), until))
    all.push([ref, amount])
  return all
}

test('what came in on a day is paid out when the next day has ended', async () => {
  expect(await paidOut(day(3, 1))).toEqual([['po_2026-10-03', '-9.60']])
  expect(await paidOut(day(4, 1))).toEqual([
    ['po_2026-10-03', '-9.60'],
    ['po_2026-10-04', '-15.45'],
  ])
})

test('what is held is everything less fees, payouts and lost disputes', async () => {
  // 10 + 20 + 30 − 4, less fees of 0.40, 0.55 and 0.70, less 10 and 15 for the dispute.
  expect(await heldAt(store, day(3, 13))).toEqual([
    { currency: 'USD', amount: (56 - 1.65 - 25 - 9.6).toFixed(2) },
  ])
})

import { expect, test } from 'vitest'
import { type PriceFile, priceLines, withPrice } from './price-lines.ts'

const meter = {
  meter: 'vcpu_hours',
  plan: null,
  kind: '',
  included_per_day: '0',
  tiers: null,
  from: null,
  to: null,
}
const file = {
  plans: [{ code: 'web-1' }],
  price_lists: [
    {
      code: 'standard',
      currency: 'USD',
      default: true,
      fees: [
        { plan: 'web-1', monthly: '6.00', from: '2026-12-01', to: null },
        { plan: 'web-1', monthly: '5.00', from: null, to: '2026-12-01' },
        { plan: 'web-2', monthly: '9.00', from: null, to: null },
      ],
      meters: [{ ...meter, unit_price: '0.01' }],
    },
    {
      code: 'partners',
      currency: 'USD',
      default: false,
      fees: [],
      meters: [{ ...meter, unit_price: '0.02' }],
    },
  ],
} satisfies PriceFile & { plans: unknown }

const lineOf = (from: PriceFile, list: string, plan: string | null) =>
  priceLines(from).find((one) => one.list === list && one.plan === plan)

test('each price of each list is a line, with its periods in the order of time', () => {
  expect(priceLines(file).map(({ list, plan, meter }) => [list, plan, meter])).toEqual([
    ['standard', 'web-1', null],
    ['standard', 'web-2', null],
    ['standard', null, 'vcpu_hours'],
    ['partners', null, 'vcpu_hours'],
  ])
  expect(lineOf(file, 'standard', 'web-1')?.spans).toEqual([
    { amount: '5.00', from: null, to: '2026-12-01' },
    { amount: '6.00', from: '2026-12-01', to: null },
  ])
})

test('another amount from a day on ends the last one there, replaces what was planned later, and leaves all else', () => {
  const line = lineOf(file, 'standard', 'web-1')
  if (line === undefined) throw new Error('The file has this price.')
  const next = withPrice(file, line, { amount: '5.50', from: '2026-11-15' })
  if (next === undefined) throw new Error('The price can be changed.')
  expect(lineOf(next, 'standard', 'web-1')?.spans).toEqual([
    { amount: '5.00', from: null, to: '2026-11-15' },
    { amount: '5.50', from: '2026-11-15', to: null },
  ])
  expect(lineOf(next, 'standard', 'web-2')).toEqual(lineOf(file, 'standard', 'web-2'))
  expect(next.plans).toBe(file.plans)
  expect(next.price_lists[1]).toBe(file.price_lists[1])
})

test('another price of a meter keeps what is included, and is of its own list', () => {
  const line = lineOf(file, 'partners', null)
  if (line === undefined) throw new Error('The file has this price.')
  const next = withPrice(file, line, { amount: '0.03', from: '2027-01-01' })
  expect(next?.price_lists[1]?.meters).toEqual([
    { ...meter, unit_price: '0.02', to: '2027-01-01' },
    { ...meter, unit_price: '0.03', from: '2027-01-01' },
  ])
  expect(next?.price_lists[0]).toBe(file.price_lists[0])
})

test('a price cannot begin before its first one', () => {
  const fees = [{ plan: 'web-3', monthly: '1.00', from: '2027-01-01', to: null }]
  const only = { price_lists: [{ code: 'new', currency: 'USD', default: false, fees, meters: [] }] }
  const [line] = priceLines(only)
  if (line === undefined) throw new Error('The file has this price.')
  expect(withPrice(only, line, { amount: '2.00', from: '2026-12-01' })).toBeUndefined()
})

test('a period that ended stays as it was, and a unit price takes the place of tiers', () => {
  const ended = { plan: 'web-3', monthly: '1.00', from: '2025-01-01', to: '2025-06-01' }
  const tiered = { ...meter, unit_price: null, tiers: [{ up_to: null, unit_price: '0.10' }] }
  const one = {
    price_lists: [{ code: 'new', currency: 'USD', default: false, fees: [ended], meters: [tiered] }],
  }
  const [fee, use] = priceLines(one)
  if (fee === undefined || use === undefined) throw new Error('The file has these prices.')
  const next = withPrice(one, fee, { amount: '2.00', from: '2027-01-01' })
  expect(next?.price_lists[0]?.fees).toEqual([
    ended,
    { ...ended, monthly: '2.00', from: '2027-01-01', to: null },
  ])
  expect(withPrice(one, use, { amount: '0.20', from: '2027-01-01' })?.price_lists[0]?.meters[1]).toEqual({
    ...tiered,
    unit_price: '0.20',
    tiers: null,
    from: '2027-01-01',
    to: null,
  })
})

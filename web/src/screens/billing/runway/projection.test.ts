import { expect, test } from 'vitest'
import { nextTopUp, projected } from './projection.ts'

const account = { as_of: '2026-11-10', available: 10, daily_use: 4 }
const topUps = { threshold: 5, recharge: 20, cap: null, charged: 0, least: 1 }

test('the balance falls by the daily use, and below zero', () => {
  expect(projected(account, 4)).toEqual([6, 2, -2, -6])
})

test('automatic payment is a step as soon as the balance is below its threshold', () => {
  expect(projected(account, 4, topUps)).toEqual([6, 22, 18, 14])
})

test('it pays as many times its amount as the threshold needs, once below', () => {
  expect(projected({ ...account, available: -30, daily_use: 1 }, 1, topUps)).toEqual([9])
  expect(projected({ ...account, available: 6, daily_use: 1 }, 1, topUps)).toEqual([5])
})

test('it pays no more than the maximum of a month, and again in the next one', () => {
  const end = { ...account, as_of: '2026-11-28' }
  expect(projected(end, 4, { ...topUps, cap: 50, charged: 35 })).toEqual([6, 17, 13, 9])
  expect(projected(end, 4, { ...topUps, cap: 50, charged: 50 })).toEqual([6, 2, 18, 14])
  expect(projected(end, 2, { ...topUps, cap: 50, charged: 46, least: 5 })).toEqual([6, 2])
})

test('the next automatic payment is on the first day that ends below the threshold', () => {
  expect(nextTopUp(account, topUps)).toEqual({ inDays: 2, amount: 20 })
  expect(nextTopUp({ ...account, available: 5, daily_use: 1 }, topUps)).toEqual({ inDays: 1, amount: 20 })
  expect(nextTopUp({ ...account, available: -30, daily_use: 1 }, topUps)).toEqual({ inDays: 0, amount: 40 })
  expect(nextTopUp({ ...account, daily_use: 0 }, topUps)).toBeUndefined()
  expect(nextTopUp(account, { ...topUps, recharge: 0 })).toBeUndefined()
})

test('a month whose maximum is reached delays the next automatic payment to the month after', () => {
  const atEnd = { ...account, as_of: '2026-11-27' }
  const end = { ...topUps, cap: 60, charged: 60 }
  expect(nextTopUp(atEnd, end)).toEqual({ inDays: 4, amount: 20 })
})

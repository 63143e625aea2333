import { expect, test } from 'vitest'
import { type OfferFile, offeredText, unsoldIn } from './offer-file.ts'

const list = (code: string, plans: readonly string[], isDefault = true) => ({
  code,
  currency: code.toUpperCase(),
  default: isDefault,
  fees: plans.map((plan) => ({ plan })),
})

const fileOf = (price_lists: OfferFile['price_lists']): OfferFile => ({
  plans: [
    { code: 'new', state: 'draft' },
    { code: 'other', state: 'draft' },
    { code: 'old', state: 'retired' },
  ],
  price_lists,
})

test.each<[string, OfferFile['price_lists'], string[]]>([
  [
    'a currency with the price of another draft alone',
    [list('ron', ['new']), list('usd', ['other'])],
    ['usd'],
  ],
  ['no currency in which a plan was sold', [list('ron', ['new']), list('usd', ['old'])], []],
  ['no list of single clients', [list('ron', ['new']), list('usd', [], false)], []],
  ['nothing while no currency has a price', [list('ron', []), list('usd', [])], []],
])('what may be left out: %s', (_, lists, left) => {
  expect(unsoldIn(fileOf(lists), 'new').map(({ code }) => code)).toEqual(left)
})

test('the plan is offered, and what is left out is no default list', () => {
  const file = fileOf([list('ron', ['new']), list('usd', [])])
  expect(JSON.parse(offeredText(file, 'new', ['usd']))).toEqual({
    plans: [{ code: 'new', state: 'offered' }, ...file.plans.slice(1)],
    price_lists: [list('ron', ['new']), list('usd', [], false)],
  })
  expect(JSON.parse(offeredText(file, 'new', []))).toMatchObject({ price_lists: file.price_lists })
})

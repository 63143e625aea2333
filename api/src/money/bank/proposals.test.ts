import { expect, test } from 'vitest'
import { type Document, type OpenLine, proposer } from './proposals.ts'

const lineOf = (id: number, more: Partial<OpenLine> = {}): OpenLine => ({
  id,
  amount: '60.50',
  currency: 'USD',
  payer: null,
  iban: null,
  text: 'hosting',
  reversal: false,
  ...more,
})
const documentOf = (id: number): Document => ({
  id,
  client: id,
  number: `PRF-${id}`,
  currency: 'USD',
  due: '60.50',
  lost: false,
  former: false,
})
const places = Array.from({ length: 10_000 }, (_, at) => at + 1)

test('ten thousand lines of the usual amount are not compared with each of ten thousand documents', () => {
  const found = proposer({ documents: places.map(documentOf), payers: [], names: [] })(
    places.map((at) => lineOf(at, at % 2 ? {} : { text: `PRF-${at}` })),
  )
  expect(found.map(({ match }) => match)).toEqual(places.map((at) => (at % 2 ? 'likely' : 'certain')))
  expect(found.every(({ candidates }) => candidates.length === 5)).toBe(true)
  expect(found[9_999]?.candidates[0]).toEqual({
    client: 10_000,
    invoice: 10_000,
    signs: ['number', 'amount'],
  })
})

test('ten thousand clients of one name are no candidates one by one', () => {
  const names = places.map((client) => ({ sign: 'Ana Pop', client }))
  const [found] = proposer({ documents: places.map(documentOf), payers: [], names })(
    places.map((at) => lineOf(at, { payer: 'Ana Pop' })),
  )
  expect(found).toMatchObject({ match: 'likely', candidates: { length: 5 } })
  expect(found?.candidates[0]?.signs).toEqual(['amount', 'name'])
})

test('the money of a bill that was written off is for a person to decide about', () => {
  const line = lineOf(1, { text: 'PRF-7' })
  const found = (lost: boolean) =>
    proposer({ documents: [{ ...documentOf(7), lost }], payers: [], names: [] })([line])
  expect(found(false)).toMatchObject([{ match: 'certain' }])
  expect(found(true)).toMatchObject([
    { match: 'likely', candidates: [{ invoice: 7, signs: ['number', 'amount'] }] },
  ])
})

test.each(['P2F-7', 'plata p2f 007, multumim', 'P2F7', 'INV/P2F-7', 'X1 P2F-7'])(
  'a number whose series has digits before letters is found in “%s”',
  (text) => {
    const documents = [{ ...documentOf(7), number: 'P2F-7' }, documentOf(2)]
    expect(proposer({ documents, payers: [], names: [] })([lineOf(1, { text })])).toMatchObject([
      { match: 'certain', candidates: [{ invoice: 7 }, { invoice: 2, signs: ['amount'] }] },
    ])
  },
)

test.each(['P2F-70', 'P2F-7-1', 'XP2F-7', 'P2FX-7', 'P2-7', '2F-7', 'P2F'])(
  'a number whose series has digits before letters is not found in “%s”',
  (text) => {
    const documents = [{ ...documentOf(7), number: 'P2F-7' }]
    expect(proposer({ documents, payers: [], names: [] })([lineOf(1, { text })])).toMatchObject([
      { match: 'likely', candidates: [{ invoice: 7, signs: ['amount'] }] },
    ])
  },
)

test('who quotes a proforma that takes no money any more is proposed for the balance, and a person decides', () => {
  const documents = [{ ...documentOf(7), former: true }, documentOf(8)]
  const found = (text: string, currency = 'USD') =>
    proposer({ documents, payers: [], names: [] })([lineOf(1, { text, currency })])[0]
  const ofAmount = { client: 8, invoice: 8, signs: ['amount'] }
  const balance = { client: 7, invoice: null, signs: ['number'] }
  expect(found('PRF-7')).toEqual({ id: 1, match: 'likely', candidates: [balance, ofAmount] })
  // Its amount alone says nothing.
  expect(found('hosting')).toMatchObject({ candidates: [ofAmount] })
  expect(found('PRF-7', 'RON')).toMatchObject({ match: 'none', candidates: [] })
  expect(found('PRF-7, PRF-8')).toMatchObject({
    match: 'likely',
    candidates: [{ ...ofAmount, signs: ['number', 'amount'] }, balance],
  })
})

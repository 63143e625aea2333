import { expect, test } from 'vitest'
import { epcText } from './epc.ts'

test('a bank’s app reads the beneficiary, the account, the amount and the reference', () => {
  const transfer = { beneficiary: 'Ștefan & Co SRL', iban: 'RO49 AAAA 1B31 0075 9384 0000', amount: 60.5 }
  expect(epcText({ ...transfer, reference: 'PRF-7' })).toBe(
    'BCD\n002\n1\nSCT\n\nȘtefan & Co SRL\nRO49AAAA1B31007593840000\nEUR60.50\n\n\nPRF-7',
  )
})

import { expect, test } from 'vitest'
import { companyAccount, requiredForBilling } from './billing-complete.ts'

test('a company also needs its name', () => {
  const person = requiredForBilling(2)
  expect(person).toEqual(['address1', 'city', 'zip_code', 'country_id'])
  expect(requiredForBilling(companyAccount)).toEqual(['company_name', ...person])
})

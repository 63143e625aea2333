import { expect, test } from 'vitest'
import { billingComplete, requiredForBilling } from './billing-complete.ts'

const company = {
  account_type: 1,
  company_name: 'Lumen',
  address1: 'Str. Lungă 1',
  city: 'Cluj',
  zip_code: '400001',
  country_id: 642,
}
const person = { ...company, account_type: 2, company_name: null }

test('a company with every required field is complete', () => {
  expect(billingComplete(company)).toBe(true)
})

test('a person needs no company name', () => {
  expect(billingComplete(person)).toBe(true)
})

test.each(requiredForBilling(1))('a company without %s is incomplete', (field) => {
  expect(billingComplete({ ...company, [field]: null })).toBe(false)
})

test.each(requiredForBilling(2))('a person without %s is incomplete', (field) => {
  expect(billingComplete({ ...person, [field]: null })).toBe(false)
})

test('an empty string passes', () => {
  expect(billingComplete({ ...company, city: '', company_name: '' })).toBe(true)
})

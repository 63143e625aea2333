import { letterKinds } from '@portico/contract/rules/letters/letter-kinds.ts'
import { expect, test } from 'vitest'
import { causes } from './letters.ts'

test('each kind of letter has a name at the desk, in two languages', () => {
  expect(Object.keys(letterKinds).toSorted()).toEqual(Object.keys(causes).toSorted())
  for (const { en, ro } of Object.values(letterKinds)) expect(en).not.toBe(ro)
})

import { expect, inject, test } from 'vitest'
import { databaseTypes } from './database-types.ts'

test('the types of the tables are those that the migrations make', () => {
  expect(databaseTypes(inject('postgres'), '--verify'), 'run `npm run db:types`').toBe('')
})

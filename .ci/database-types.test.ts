import { expect, inject, test } from 'vitest'
import { columnsAreCurrent, databaseTypes } from './database-types.ts'

test('the types of the tables are those that the migrations make', () => {
  expect(databaseTypes(inject('postgres'), '--verify'), 'run `npm run db:types`').toBe('')
})

test('so are the lists of their columns', async () => {
  expect(await columnsAreCurrent(inject('postgres')), 'run `npm run db:types`').toBe(true)
})

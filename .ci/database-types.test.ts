import { expect, test } from 'vitest'
import { serverOfTests } from '../api/test/support/database.ts'
import { columnsAreCurrent, databaseTypes } from './database-types.ts'

test('the types of the tables are those that the migrations make', () => {
  expect(databaseTypes(serverOfTests(), '--verify'), 'run `npm run db:types`').toBe('')
})

test('so are the lists of their columns', async () => {
  expect(await columnsAreCurrent(serverOfTests()), 'run `npm run db:types`').toBe(true)
})

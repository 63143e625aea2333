import { expect, test } from 'vitest'
import type { Context } from '#platform/context.ts'
import { testDatabase } from '#test/support/database.ts'
import { testVault } from '#test/support/mail.ts'
import { claim, keepAnswer } from './idempotency.ts'

const { pool } = await testDatabase()

const within = <T>(work: (context: Context) => Promise<T>): Promise<T> =>
  pool.kysely.transaction().execute((tx) => work({ tx, vault: testVault } as unknown as Context)) // All that is asked of it.

test('of two requests with the same key the first answer is kept, and the second gets it', async () => {
  const keyed = { key: 'k', actor: 'client 1', hash: Buffer.from('h'), keep: true }
  const answerOf = (text: string) => ({ status: 201, location: `/${text}`, body: Buffer.from(text) })
  expect(await within((context) => claim(context, keyed))).toEqual({ state: 'fresh' })
  const [first, late] = [answerOf('first'), answerOf('late')]
  expect(await within((context) => keepAnswer(context, keyed, first))).toBe(first)
  expect(await within((context) => keepAnswer(context, keyed, late))).toEqual(first)
  expect(await within((context) => claim(context, keyed))).toEqual({ state: 'answered', answer: first })
})

import { expect, test } from 'vitest'
import { type Principal, PrincipalLoader } from './principal-loader.ts'

const principal = (sessionId: string): Principal => ({
  sessionId,
  accountId: `account of ${sessionId}`,
  clientId: 1,
  emailVerified: true,
  language: 'en',
  authenticatedAt: '2026-01-15T12:00:00Z',
  staff: null,
  needsSecondFactor: false,
  grants: [],
})

/** A loader whose statements wait until the test lets them see what is live at that moment. */
function controlled() {
  const live = new Set<string>()
  const statements: { ids: readonly string[]; finish: () => void; fail: (error: Error) => void }[] = []
  const loader = new PrincipalLoader((ids) => {
    // As in the database, what a statement sees is decided when it begins.
    const seen = ids.filter((id) => live.has(id)).map(principal)
    const { promise, resolve, reject } = Promise.withResolvers<Principal[]>()
    statements.push({ ids, finish: () => resolve(seen), fail: reject })
    return promise
  })
  return { live, statements, loader }
}

/** The event loop has turned, and what that began has come as far as it can. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('requests that arrive together share a statement, and those that arrive while it runs the next one', async () => {
  const { live, statements, loader } = controlled()
  for (let i = 0; i < 32; i++) live.add(`s${i % 8}`)
  const first = Array.from({ length: 8 }, (_, i) => loader.load(`s${i % 4}`))
  await settled()
  expect(statements.map(({ ids }) => ids)).toEqual([['s0', 's1', 's2', 's3']])
  const later = Array.from({ length: 24 }, (_, i) => loader.load(`s${i % 8}`))
  await settled()
  expect(statements).toHaveLength(1)
  statements[0]?.finish()
  await settled()
  expect(statements).toHaveLength(2)
  expect(statements[1]?.ids).toHaveLength(8)
  statements[1]?.finish()
  const sessions = (await Promise.all([...first, ...later])).map((one) => one?.sessionId)
  expect(sessions).toEqual([
    ...Array.from({ length: 8 }, (_, i) => `s${i % 4}`),
    ...Array.from({ length: 24 }, (_, i) => `s${i % 8}`),
  ])
  expect(statements).toHaveLength(2)
})

test('a request that arrives after a revocation is never answered by a statement that began before it', async () => {
  const { live, statements, loader } = controlled()
  live.add('s')
  const before = loader.load('s')
  await settled()
  live.delete('s')
  const after = loader.load('s')
  statements[0]?.finish()
  expect(await before).toMatchObject({ sessionId: 's' })
  await settled()
  statements[1]?.finish()
  expect(await after).toBeUndefined()
})

test('a failed statement fails the requests that it served, and no later one', async () => {
  const { live, statements, loader } = controlled()
  live.add('s')
  const failing = loader.load('s')
  await settled()
  const next = loader.load('s')
  statements[0]?.fail(new Error('away'))
  await expect(failing).rejects.toThrow('away')
  await settled()
  statements[1]?.finish()
  expect(await next).toMatchObject({ sessionId: 's' })
})

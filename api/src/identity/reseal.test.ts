import { expect, test } from 'vitest'
import { makeVault } from '#platform/vault.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person, stoppedClock } from '#test/support/people.ts'
import { enrol, totp } from '#test/support/totp.ts'
import { reseal } from './reseal.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const [old, next] = [
  'the old secret which is long enough as well',
  'the next secret which is long enough too',
]
const appWith = async (tokenSecret: string) =>
  (await testApp(pool, { clock, env: { tokenSecret, rateLimitScale: 1000 } })).app

test('authenticator apps survive a change of the token secret, without the old secret', async () => {
  const { email } = await person(pool, 'ada@example.test')
  const before = new Browser(await appWith(old))
  await before.signIn(email)
  const { secret } = await enrol(before, clock)
  expect(await reseal({ pool, vault: makeVault(old) })).toBe(0)
  const both = makeVault(`${next},${old}`)
  expect(await reseal({ pool, vault: both })).toBe(1)
  expect(await reseal({ pool, vault: both })).toBe(0)

  clock.forward(60_000)
  const after = new Browser(await appWith(next))
  const { challenge } = (await after.login(email)).json()
  const payload = { challenge, code: totp(secret, clock) }
  const answer = await after.ask({ method: 'POST', url: '/auth/login/two-factor', payload })
  expect(answer.statusCode).toBe(200)
})

test('tokens of the tax office are sealed anew, and are the same', async () => {
  const [before, both] = [makeVault(old), makeVault(`${next},${old}`)]
  await pool.kysely
    .updateTable('tax_offices')
    .set({ access_sealed: before.seal('access'), refresh_sealed: before.seal('refresh') })
    .where('environment', '=', 'prod')
    .execute()
  expect(await reseal({ pool, vault: both })).toBe(2)
  expect(await reseal({ pool, vault: both })).toBe(0)
  const after = await pool.kysely
    .selectFrom('tax_offices')
    .select(['access_sealed', 'refresh_sealed'])
    .where('environment', '=', 'prod')
    .executeTakeFirstOrThrow()
  const opened = [after.access_sealed, after.refresh_sealed].map((sealed) =>
    sealed === null ? null : makeVault(next).unseal(sealed),
  )
  expect(opened).toEqual(['access', 'refresh'])
})

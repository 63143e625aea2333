import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { browsersOn } from '#test/support/people.ts'
import { makeMember } from '#test/support/staff.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const { app } = await testApp(pool, { env: { rateLimitScale: 100_000 } })
const browsers = browsersOn(app)

afterEach(() => vi.restoreAllMocks())

test.each([
  ['was disabled', (id: number) => sql`update admins set disabled_at = now() where id = ${id}`],
  ['has another role', (id: number) => sql`update admins set role = 'support' where id = ${id}`],
  [
    'was signed out',
    (id: number) => sql`update auth_sessions set revoked_at = now(), revoke_reason = 'ended'
      where account_id = (select auth_id from admins where id = ${id})`,
  ],
])(
  'what a verb does after its call to the outside is refused when the member %s meanwhile',
  async (_, end) => {
    await makeMember(pool, 'admin')
    const { admin, email } = await makeMember(pool, 'admin')
    const browser = browsers({ headers: { 'portico-reason': 'New keys' } })
    await browser.signIn(email)
    // Stripe is asked about a new key; the answer takes a while.
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
      await end(admin).execute(db)
      return new Response('{}')
    })
    const saved = await browser.send('POST', `${base}/operator-settings/-actions/save`, {
      data: {
        stripe_secret_key: 'sk_test_12345678',
        stripe_publishable_key: 'pk_test_12345678',
        stripe_webhook_secret: 'whsec_12345678',
      },
    })
    expect([saved.statusCode, saved.json().errors?.[0]?.code]).toEqual([401, 'session_ended'])
    const { rows } = await sql`select from operator_settings where sealed is not null`.execute(db)
    expect(rows).toEqual([])
  },
)

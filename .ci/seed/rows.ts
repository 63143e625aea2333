import { randomUUID } from 'node:crypto'
import { mediaType } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { payByCards } from '../../api/src/demo/cards.ts'
import { paymentScopeOn } from '../../api/src/money/payments/payment-scope.ts'
import { paymentsOf } from '../../api/src/money/payments/payments.routes.ts'
import { systemClock } from '../../api/src/platform/clock.ts'
import type { Pool } from '../../api/src/platform/db/pool.ts'
import { testVault } from '../../api/test/support/mail.ts'
import type { Browser } from '../../api/test/support/people.ts'
import { tokenSecret } from '../../api/test/support/secret.ts'
import type { People } from './people.ts'

/** Creates a resource as the browser does, and returns the answer. */
export async function create(browser: Browser, type: string, attributes: object, relationships?: object) {
  const payload = { data: { type, attributes, ...(relationships && { relationships }) } }
  return browser.ask({
    method: 'POST',
    url: `/api/v1/${type}`,
    headers: {
      authorization: `Bearer ${browser.cookies.get('token')}`,
      'content-type': mediaType,
      'idempotency-key': randomUUID(),
    },
    payload: JSON.stringify(payload),
  })
}

const fileOf = (browser: Browser) =>
  browser.ask({
    method: 'POST',
    url: '/api/v1/ticket-files/-actions/upload?filename=notes.txt',
    headers: {
      authorization: `Bearer ${browser.cookies.get('token')}`,
      'content-type': 'application/octet-stream',
    },
    payload: Buffer.from('What the log said.\n'),
  })

/** Creates a row of each type that the demo data lacks, by the same calls as any client. */
export async function makeMissing(pool: Pool, { ana, mihai }: People): Promise<void> {
  const settings = { stripe: undefined, publicUrl: 'http://localhost:3000' }
  const payments = paymentsOf(settings, { pool, clock: systemClock, secret: tokenSecret })
  await payByCards(paymentScopeOn({ pool, vault: testVault, payments }))
  const in30Days = new Date(systemClock.now().getTime() + 30 * 86_400_000).toISOString()
  const key = { name: 'A program', allowed_ips: ['192.0.2.7'], scopes: ['panels:read'], expires_at: in30Days }
  const details = {
    first_name: 'Mihai',
    last_name: 'Dobre',
    account_type: 2,
    terms_version: '2026-01',
    marketing_consent: false,
    source: 'email',
  }
  const answers = [
    await create(ana, 'api-keys', key),
    await create(ana, 'stripe-setup-intents', {}),
    await create(ana, 'transactions', { purpose: 'deposit', net: 25 }),
    await create(mihai, 'register-details', details),
    await fileOf(ana),
  ]
  for (const answer of answers) if (answer.statusCode !== 201) throw new Error(answer.body)
  // Such a note follows a change of prices, which the demo data lacks.
  await sql`insert into usage_notes (usage_id, client_id, usage_on, kind, note_en, note_ro)
    select id, client_id, usage_on, 'price_change', 'A new price', 'Un preț nou' from usages order by id desc`.execute(
    pool.kysely,
  )
}

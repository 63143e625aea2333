import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { followSettings } from '#platform/settings/settings.ts'
import { makeVault } from '#platform/vault.ts'
import { lettersTo } from '#test/support/mail.ts'
import { testPortal } from '#test/support/portal.ts'
import { tokenSecret } from '#test/support/secret.ts'
import { testSmtp } from '#test/support/smtp.ts'
import { makeMember } from '#test/support/staff.ts'
import { StripeServer, stripeSettings } from '#test/support/stripe.ts'

const stripe = new StripeServer()
const keys = stripeSettings(await stripe.listen())
afterAll(() => stripe.close())
const source = { SEED: 'none', ENGINE_ALLOWED_HOSTS: '127.0.0.1', STRIPE_API_BASE: keys.apiBase ?? '' }
const vault = makeVault(tokenSecret)
const log = pino({ level: 'silent' })
const portal = await testPortal({
  settings: async (pool) => {
    const following = await followSettings(source, { tokenSecret }, { pool, vault, log })
    afterAll(() => following.stop())
    return following
  },
})
const { pool } = portal
const db = pool.kysely
const [old, fresh] = [await testSmtp(), await testSmtp()]
const thief = await makeMember(pool, 'admin')
const chief = await makeMember(pool, 'admin')
await makeMember(pool, 'billing')
const act = (verb: string, data: object) =>
  portal.staff(thief.admin).post(`${base}/operator-settings/-actions/${verb}`, { data })
const notices = async () => {
  const { rows } = await sql<{ params: object }>`select client_id, params from notifications
    where kind = 'staff_settings' order by id`.execute(db)
  return rows
}

beforeEach(async () => {
  old.mode = 'accept'
  expect((await act('clear', { group: 'mail' })).status).toBe(200)
  expect((await act('save', { smtp_url: old.url })).status).toBe(200)
  await sql`delete from notifications`.execute(db)
  await sql`delete from outbox_letters`.execute(db)
  old.received.length = 0
  fresh.received.length = 0
})

test('before the mail server is replaced, the old one sends the administrators a letter, and the portal notifies them', async () => {
  expect((await act('save', { smtp_url: fresh.url })).json).toEqual({ saved: ['SMTP_URL'] })
  expect(old.received.flatMap(({ to }) => to).sort()).toEqual([thief.email, chief.email].sort())
  expect(old.received[0]?.raw).toContain('SMTP_URL')
  expect(old.received[0]?.raw).toContain('A test asks for it')
  expect(old.received[0]?.raw).not.toContain(new URL(fresh.url).port)
  const params = { by: 'admin', about: 'SMTP_URL', state: 'written' }
  expect(await notices()).toEqual([{ client_id: chief.client, params }])
  expect(await lettersTo(pool, chief.email)).toEqual([])
  expect(fresh.received).toEqual([])
})

test('an old server that takes nothing stops no change: the notice says so, and the letters wait', async () => {
  old.mode = 'tempfail'
  expect((await act('save', { smtp_url: fresh.url })).json).toEqual({ saved: ['SMTP_URL'] })
  expect(await notices()).toMatchObject([{ client_id: chief.client, params: { state: 'unwritten' } }])
  for (const { email } of [thief, chief])
    expect(await lettersTo(pool, email)).toMatchObject([
      { kind: 'settings-replaced', settings: ['SMTP_URL'] },
    ])
})

test('administrators are also told of a removed setting and of another Stripe key, not of a first or an unchanged one', async () => {
  const input = {
    stripe_secret_key: keys.secretKey,
    stripe_publishable_key: keys.publishableKey,
    stripe_webhook_secret: keys.webhookSecrets.join(','),
  }
  expect((await act('save', { ...input, smtp_url: old.url })).status).toBe(200)
  expect([await notices(), old.received]).toEqual([[], []])
  expect((await act('save', { ...input, stripe_webhook_secret: 'whsec_another0' })).status).toBe(200)
  expect((await act('clear', { group: 'mail' })).status).toBe(200)
  expect((await notices()).map(({ params }) => params)).toMatchObject([
    { about: 'STRIPE_WEBHOOK_SECRET', state: 'written' },
    { about: 'SMTP_URL', state: 'written' },
  ])
  // Without a mail server the notice alone tells, and the letters wait for one.
  expect((await act('clear', { group: 'payments' })).status).toBe(200)
  expect((await notices()).at(-1)?.params).toMatchObject({ state: 'unwritten' })
})

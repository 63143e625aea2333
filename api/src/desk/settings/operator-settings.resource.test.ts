import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Pool } from '#platform/db/pool.ts'
import { followSettings } from '#platform/settings/settings.ts'
import { readVersion, storeSetting } from '#platform/settings/stored.ts'
import { makeVault } from '#platform/vault.ts'
import { makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { Browser } from '#test/support/people.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { tokenSecret } from '#test/support/secret.ts'
import { testSmtp } from '#test/support/smtp.ts'
import { makeMember } from '#test/support/staff.ts'
import { StripeServer, stripeSettings } from '#test/support/stripe.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const vault = makeVault(tokenSecret)
const stripe = new StripeServer()
const keys = stripeSettings(await stripe.listen())
const smtp = await testSmtp()
afterAll(() => stripe.close())

const source = {
  SEED: 'none',
  DATABASE_URL: 'postgres://db/portico',
  MAIL_AUTHSERV_ID: 'mx.server.example',
  ENGINE_ALLOWED_HOSTS: '127.0.0.1',
  STRIPE_API_BASE: keys.apiBase ?? '',
}
const log = pino({ level: 'silent' })
const follow = async (pool: Pool, of: Record<string, string> = source) => {
  const following = await followSettings(of, { tokenSecret }, { pool, vault, log })
  afterAll(() => following.stop())
  return following
}

/** A portal with other variables, and its administrator. */
async function portalWith(of: Record<string, string>) {
  const portal = await testPortal({ settings: (pool) => follow(pool, of) })
  return { portal, admin: portal.staff((await makeMember(portal.pool, 'admin')).admin) }
}

const { portal, admin } = await portalWith(source)
const { pool } = portal
const db = pool.kysely
// Another process on the same database, which is asked at once.
const settings = await follow(pool)

const url = `${base}/operator-settings`
const act = (who: Visitor, verb: string, data: object = {}) => who.post(`${url}/-actions/${verb}`, { data })
const faults = ({ errors }: Awaited<ReturnType<typeof act>>) =>
  errors.map(({ status, code, source: at }) =>
    `${status} ${code} ${at?.pointer?.replace(/.*\//, '') ?? ''}`.trim(),
  )
const shown = async () => {
  const { list } = await admin.get(`${url}?page[size]=50`)
  return Object.fromEntries(
    list.map(({ attributes }) => [attributes?.key, [attributes?.source, attributes?.value]]),
  )
}

const stripeInput = {
  stripe_secret_key: keys.secretKey,
  stripe_publishable_key: keys.publishableKey,
  stripe_webhook_secret: keys.webhookSecrets.join(','),
}

beforeEach(async () => {
  await sql`update operator_settings set value = null, sealed = null, version = version + 1`.execute(db)
  await sql`delete from settings where key = 'test_letter_at'`.execute(db)
})

test('values are used at once, secrets are sealed and not shown, and the log does not have them', async () => {
  expect(faults(await act(admin, 'save', { ...stripeInput, mail_from: 'Acme <mail@acme.example>' }))).toEqual(
    [],
  )
  await settings.refresh()
  expect(settings.env).toMatchObject({
    stripe: { secretKey: keys.secretKey, webhookSecrets: keys.webhookSecrets },
    mailFrom: { name: 'Acme', address: 'mail@acme.example' },
  })
  expect(await shown()).toMatchObject({
    STRIPE_SECRET_KEY: ['desk', null],
    STRIPE_PUBLISHABLE_KEY: ['desk', keys.publishableKey],
    MAIL_FROM: ['desk', 'Acme <mail@acme.example>'],
    SMTP_URL: ['none', null],
    MAIL_AUTHSERV_ID: ['server', 'mx.server.example'],
  })
  const { rows } = await sql`select from operator_settings where value = ${keys.secretKey}
    or position(convert_to(${keys.secretKey}, 'UTF8') in sealed) > 0`.execute(db)
  expect(rows).toEqual([])
  await act(admin, 'clear', { group: 'payments' })
  const { list } = await admin.get(`${base}/staff-actions?sort=-at&page[size]=2`)
  const logged = JSON.stringify(list)
  expect(list.map(({ attributes }) => attributes?.verb)).toEqual(['clear', 'save'])
  expect(logged).toContain('mail@acme.example')
  for (const part of [keys.secretKey, keys.webhookSecrets[0] ?? '', '\\\\x'])
    expect(logged).not.toContain(part)
})

test('an empty secret stays as it is, other empty fields are removed, and a group is removed as a whole', async () => {
  await act(admin, 'save', stripeInput)
  expect(faults(await act(admin, 'save', { stripe_secret_key: '', mail_from: 'a@b.example' }))).toEqual([])
  await settings.refresh()
  expect(settings.env.stripe?.secretKey).toBe(keys.secretKey)
  expect((await act(admin, 'save', { mail_from: '', smtp_url: '' })).json).toEqual({ saved: ['MAIL_FROM'] })
  await act(admin, 'save', { mail_from: 'a@b.example' })
  const { json } = await act(admin, 'clear', { group: 'payments' })
  expect(json).toEqual({
    cleared: ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'],
  })
  await settings.refresh()
  expect([settings.env.stripe, settings.env.mailFrom.address]).toEqual([undefined, 'a@b.example'])
})

test.each([
  [{ mail_from: 'nobody' }, '422 setting_invalid mail_from'],
  [{ mail_authserv_id: 'mx.desk.example' }, '409 setting_of_server mail_authserv_id'],
  [{ imap_url: 'imaps://me:pw@127.0.0.1/INBOX' }, '422 setting_needed_too reply_address'],
  [{ stripe_publishable_key: keys.publishableKey }, '422 setting_needed_too stripe_secret_key'],
  [{ ...stripeInput, stripe_webhook_secret: '' }, '422 setting_needed_too stripe_webhook_secret'],
  [
    { ...stripeInput, stripe_publishable_key: 'pk_live_12345678' },
    '422 stripe_modes_differ stripe_publishable_key',
  ],
  [{ ...stripeInput, stripe_secret_key: 'sk_test_unknown1' }, '422 stripe_key_refused stripe_secret_key'],
  [{ smtp_url: 'smtp://10.0.0.8' }, '422 setting_mail_host_private smtp_url'],
  [{ smtp_url: 'smtp://169.254.169.254' }, '422 setting_mail_host_private smtp_url'],
  [{ smtp_url: 'smtp://[::1]' }, '422 setting_mail_host_private smtp_url'],
  [
    { imap_url: 'imaps://me:pw@10.0.0.8/INBOX', reply_address: 'r@acme.example' },
    '422 setting_host_private imap_url',
  ],
  [{ smtp_url: 'smtp://smtp-7.invalid' }, '422 setting_host_unknown smtp_url'],
  [{ smtp_url: 'x'.repeat(1001) }, '422 characters_most smtp_url'],
  [{ database_url: 'postgres://db/other' }, '422 field_unknown data'],
])('%j is refused, and nothing is stored', async (data, fault) => {
  const before = await readVersion(db)
  const [found] = faults(await act(admin, 'save', data))
  expect(found).toBe(fault)
  expect(await readVersion(db)).toBe(before)
})

test('in a demo real keys and servers are refused', async () => {
  const { admin: who } = await portalWith({ STRIPE_API_BASE: keys.apiBase ?? '' })
  const live = {
    stripe_publishable_key: 'pk_live_12345678',
    stripe_secret_key: keys.secretKey.replace('test', 'live'),
  }
  const [found] = faults(
    await act(who, 'save', { ...live, stripe_webhook_secret: keys.webhookSecrets.join(',') }),
  )
  expect(found).toMatch(/409 setting_of_real_portal|422 stripe_key_refused/)
  expect(faults(await act(who, 'save', { smtp_url: 'smtp://8.8.8.8' }))).toEqual([
    '409 setting_of_real_portal smtp_url',
  ])
})

test('another process follows', async () => {
  await act(admin, 'save', { mail_from: 'Follow <follow@acme.example>' })
  await expect.poll(() => settings.env.mailFrom.name).toBe('Follow')
})

test('a test letter is sent at once, once in a while, and says what the server answered', async () => {
  expect(faults(await act(admin, 'save', { smtp_url: smtp.url }))).toEqual([])
  smtp.mode = 'reject'
  const refused = await act(admin, 'sendTest')
  expect(refused.json).toMatchObject({ problem: expect.stringContaining('No such user here') })
  expect(faults(await act(admin, 'sendTest'))).toEqual(['429 attempts_too_many'])
  await sql`delete from settings where key = 'test_letter_at'`.execute(db)
  smtp.mode = 'accept'
  expect((await act(admin, 'sendTest')).json).toMatchObject({ problem: null })
  expect(smtp.received.at(-1)?.raw).toContain('Auto-Submitted')
})

test('a mail server of the inner network is not connected to, also when it was stored before', async () => {
  const strict = await portalWith({ ...source, ENGINE_ALLOWED_HOSTS: '' })
  const own = { tx: strict.portal.pool.kysely, vault }
  await storeSetting(own, 'SMTP_URL', smtp.url)
  await expect.poll(async () => (await act(strict.admin, 'sendTest')).status).toBe(200)
  await sql`delete from settings where key = 'test_letter_at'`.execute(own.tx)
  const before = smtp.connections
  const { json } = await act(strict.admin, 'sendTest')
  expect(json).toMatchObject({ problem: expect.stringContaining('not a public address') })
  expect(smtp.connections).toBe(before)
})

test('the last message of Stripe is told', async () => {
  const read = async () => (await admin.get(`${url}/-actions/webhook`)).json
  expect(await read()).toEqual({ seen_at: null })
  await sql`insert into payment_events (provider, event_id, type, about, object_ref, happened_at, received_at)
    values ('stripe', 'evt_1', 'ping', 'other', '', now(), '2026-01-02T03:04:05Z')`.execute(db)
  expect(await read()).toEqual({ seen_at: expect.stringMatching(/^2026-01-02T03:04:05/) })
})

test('without a mail server there is no test letter', async () => {
  const { admin: who } = await portalWith({ SEED: 'none' })
  expect(faults(await act(who, 'sendTest'))).toEqual(['409 mail_not_set'])
})

test('administrators alone read and change them, with a sign-in of the last minutes', async () => {
  const client = portal.as(await makeAccount(pool, { projects: 0, panels: 0 }))
  const verbs = { save: { mail_from: 'a@b.example' }, clear: { group: 'mail' }, sendTest: {} }
  for (const who of [portal.nobody, client]) {
    expect((await who.get(url)).status).toBe(404)
    for (const [verb, data] of Object.entries(verbs)) expect((await act(who, verb, data)).status).toBe(404)
  }
  for (const role of ['support', 'billing', 'readonly'] as const) {
    const who = portal.staff(await makeAdmin(pool, role))
    expect((await who.get(url)).page.total).toBe(0)
    for (const [verb, data] of Object.entries(verbs))
      expect([403, 404]).toContain((await act(who, verb, data)).status)
  }
  const member = await makeMember(pool, 'admin')
  const { app } = await testApp(pool, { settings })
  const browser = new Browser(app)
  await browser.signIn(member.email)
  await sql`update auth_sessions set authenticated_at = now() - interval '11 minutes'`.execute(db)
  const headers = { authorization: `Bearer ${browser.cookies.get('token')}`, 'portico-reason': 'Late' }
  for (const [verb, data] of Object.entries(verbs)) {
    const answer = await browser.ask({
      method: 'POST',
      url: `${url}/-actions/${verb}`,
      headers,
      payload: { data },
    })
    expect([verb, answer.json().errors?.[0].code]).toEqual([verb, 'recent_sign_in_required'])
  }
})

import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { allowedHosts, mayReach } from '#platform/egress.ts'
import { smtpMailer } from '#platform/mail/transport/smtp-mailer.ts'
import { allowedFor, smtpServer } from '#platform/mail/transport/smtp-server.ts'
import { followSettings } from '#platform/settings/settings.ts'
import { readVersion } from '#platform/settings/stored.ts'
import { makeVault } from '#platform/vault.ts'
import { testPortal } from '#test/support/portal.ts'
import { tokenSecret } from '#test/support/secret.ts'
import { testSmtp } from '#test/support/smtp.ts'
import { makeMember } from '#test/support/staff.ts'
import { engineAdapters } from '#workspaces/engines/adapters.ts'

// What a stolen session of an administrator would enter to reach the inner network, or to write letters as somebody else.

const allowed = allowedHosts([])
const engines = engineAdapters({ clock: systemClock, publicUrl: 'https://portal.example', allowed })
afterAll(engines.close)
const portal = await testPortal({
  engines,
  settings: async (pool) => {
    const parts = { pool, vault: makeVault(tokenSecret), log: pino({ level: 'silent' }) }
    const following = await followSettings({ SEED: 'none' }, { tokenSecret }, parts)
    following.stop()
    return following
  },
})
const db = portal.pool.kysely
const admin = portal.staff((await makeMember(portal.pool, 'admin')).admin)
const save = (data: object) => admin.post(`${base}/operator-settings/-actions/save`, { data })

beforeEach(async () => {
  await sql`update operator_settings set value = null, sealed = null, version = version + 1`.execute(db)
})

/** This machine, a private network, or the metadata of a cloud, as they can be spelled. */
const inner = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0.0.0.0',
  '0',
  'localhost',
  'LOCALHOST.',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '10.0.0.8',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '%31%32%37.0.0.1',
  '8.8.8.8@127.0.0.1',
]

test.each(inner)('mail servers at %s are refused, and nothing is stored', async (host) => {
  const before = await readVersion(db)
  for (const data of [
    { smtp_url: `smtp://${host}:2525` },
    // The mail server of this machine has one name, and may be entered.
    ...(host === 'localhost' ? [] : [{ smtp_url: `smtp://${host}:25` }]),
    { smtp_url: `smtps://me:pw@${host}` },
    {
      imap_url: `imaps://me:pw@${host}/INBOX`.replace(/pw@8.8.8.8@/, 'pw%408.8.8.8@'),
      reply_address: 'r@acme.example',
    },
  ]) {
    const { status, errors } = await save(data)
    expect([status, errors[0]?.code]).toEqual([
      422,
      expect.stringMatching(/^setting_((mail_)?host_private|host_unknown|invalid)$/),
    ])
  }
  expect(await readVersion(db)).toBe(before)
})

test.each([
  ['smtp://localhost:25', [true, false]],
  ['smtp://localhost', [true, false]],
  ['smtp://LocalHost:25', [true, false]],
  ['smtps://me:pw@localhost', [false, false]],
  ['smtps://localhost:25', [false, false]],
  ['smtp://localhost:465', [false, false]],
  ['smtp://localhost:6379', [false, false]],
  ['smtp://mail.acme.example:25', [false, false]],
] as const)('%s may lead to this machine, and to no other of the inner network: %j', (url, reached) => {
  const to = allowedFor(url, { engineAllowedHosts: [] })
  expect([
    ['127.0.0.1', '::1'].every((address) => mayReach(address, to)),
    ['10.0.0.8', '169.254.169.254', 'fd00:ec2::254'].some((address) => mayReach(address, to)),
  ]).toEqual(reached)
})

test.each(['localhost', 'Localhost'])('the mail server of this machine is entered as %s', async (host) => {
  expect((await save({ smtp_url: `smtp://${host}:25` })).status).toBe(200)
})

test.each(inner)('an engine at %s is refused, or is never connected to', async (host) => {
  const { json, errors } = await admin.post(`${base}/desk-engines/-actions/add`, {
    data: { name: `Engine ${inner.indexOf(host)}`, url: `https://${host}`, is_default: false },
  })
  if (errors.length > 0) {
    expect(errors[0]?.code).toBe('engine_url_invalid')
    return
  }
  const { id } = await db
    .selectFrom('panel_engines')
    .select('id')
    .where('code', '=', String(Object(json).code))
    .executeTakeFirstOrThrow()
  const probed = await admin.post(`${base}/desk-engines/${id}/-actions/probe`, { data: {} })
  expect(probed.json).toMatchObject({
    state: 'down',
    detail: expect.stringMatching(/not a public address|ENOTFOUND/),
  })
})

const hostile = [
  'Acme" <boss@bank.example>, "',
  'Acme <boss@bank.example>',
  'Acme, boss@bank.example',
  '=?utf-8?q?Bcc=3A?= x',
  'Acme (comment) \\',
]

test.each(hostile)('letters under the brand %s come from the address of the portal alone', async (name) => {
  const saved = await admin.post(`${base}/brands/-actions/save`, {
    data: { name, accent: null, legal_en: null, legal_ro: null, letters_en: null, letters_ro: null },
  })
  expect(saved.status).toBe(200)
  const smtp = await testSmtp()
  const env = {
    publicUrl: 'https://portal.example',
    mailFrom: { name: '', address: 'mail@acme.example' },
    fromDesk: [],
    engineAllowedHosts: [],
  }
  const mailer = smtpMailer(smtpServer({ ...Object(env) }, smtp.url))
  const letter = { messageId: 'm@portal.example', to: 'ana@lumen.example', date: new Date() }
  const handed = await mailer.send({
    ...letter,
    sender: name,
    subject: `A letter of ${name}`,
    text: 'x',
    html: 'x',
  })
  mailer.close()
  expect(handed).toEqual({ taken: true })
  const [{ from, to, raw } = { from: '', to: [], raw: '' }] = smtp.received
  expect([from, to]).toEqual(['mail@acme.example', ['ana@lumen.example']])
  const [head = ''] = raw.replaceAll(/\r\n[ \t]/g, ' ').split('\r\n\r\n')
  const fields = head.split('\r\n')
  const sender = fields.filter((line) => /^from:/i.test(line))
  expect(sender).toHaveLength(1)
  expect(sender[0]).toMatch(/<mail@acme\.example>$/)
  // What stands before the address is one quoted or encoded name.
  expect(sender[0]).toMatch(/^From: (?:"(?:[^"\\]|\\.)*"|=\?[^ ]+\?=(?: =\?[^ ]+\?=)*|[\w =?-]+) <mail@/)
  expect(fields.filter((line) => /^(b?cc|to|reply-to|sender):/i.test(line))).toEqual([
    'To: ana@lumen.example',
  ])
})

test.each(['Acme\r\nBcc: boss@bank.example', 'Acme\nx', 'Acme\0'])(
  'a sender of several lines is refused: %j',
  async (name) => {
    const { status } = await admin.post(`${base}/brands/-actions/save`, {
      data: { name, accent: null, legal_en: null, legal_ro: null, letters_en: null, letters_ro: null },
    })
    expect(status).toBe(422)
    expect((await save({ mail_from: `${name} <mail@acme.example>` })).status).toBe(422)
  },
)

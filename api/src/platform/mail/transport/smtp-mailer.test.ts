import { randomUUID } from 'node:crypto'
import PostalMime from 'postal-mime'
import { afterAll, describe, expect, test } from 'vitest'
import { type Mode, testSmtp } from '#test/support/smtp.ts'
import type { Mail, Mailer } from './mailer.ts'
import { smtpMailer } from './smtp-mailer.ts'

const smtp = await testSmtp()
const opened: Mailer[] = []
afterAll(() => {
  for (const mailer of opened) mailer.close()
})

function mailerTo(smtpUrl: string, patience = 2000): Mailer {
  const mailFrom = { name: 'Portico, Ltd. "ș"', address: 'no-reply@portal.example' }
  const mailer = smtpMailer({ smtpUrl, mailFrom, publicUrl: 'https://portal.example' }, patience)
  opened.push(mailer)
  return mailer
}
const mailer = mailerTo(smtp.url)

const mail = (more: Partial<Mail> = {}): Mail => ({
  messageId: `${randomUUID()}@portal.example`,
  to: 'ana@example.com',
  subject: 'Confirmă adresa',
  text: 'Bună ziua\n',
  html: '<p>Bună ziua</p>\n',
  date: new Date('2026-11-21T14:05:00Z'),
  ...more,
})

async function sent(letter: Mail) {
  smtp.mode = 'accept'
  const before = smtp.received.length
  expect(await mailer.send(letter)).toEqual({ taken: true })
  expect(smtp.received).toHaveLength(before + 1)
  const received = smtp.received.at(-1)
  if (!received) throw new Error('Nothing came.')
  return { ...received, parsed: await PostalMime.parse(received.raw) }
}

const refused = async (mode: Mode, letter = mail()) => {
  smtp.mode = mode
  const handed = await mailer.send(letter)
  return handed.taken ? undefined : handed
}

test('a letter arrives as it was written, from one to one', async () => {
  const letter = mail()
  const { from, to, parsed, raw } = await sent(letter)
  expect({ from, to }).toEqual({ from: 'no-reply@portal.example', to: ['ana@example.com'] })
  expect(parsed).toMatchObject({
    messageId: `<${letter.messageId}>`,
    subject: 'Confirmă adresa',
    from: { name: 'Portico, Ltd. "ș"', address: 'no-reply@portal.example' },
    to: [{ address: 'ana@example.com' }],
    date: '2026-11-21T14:05:00.000Z',
  })
  expect(parsed.text?.trim()).toBe('Bună ziua')
  expect(parsed.html?.trim()).toBe('<p>Bună ziua</p>')
  expect(raw).toContain('Auto-Submitted: auto-generated')
  expect(raw).not.toMatch(/nodemailer/i)
})

test('a domain of other letters is written as the servers know it', async () => {
  expect((await sent(mail({ to: 'ana@exämple.com' }))).raw).toContain('To: ana@xn--exmple-cua.com')
})

test('the connection is kept for the next letter', async () => {
  await sent(mail())
  const before = smtp.connections
  await sent(mail())
  await sent(mail())
  expect(smtp.connections).toBe(before)
})

describe('a letter that is not accepted', () => {
  test.each([
    ['reject', true, /^EENVELOPE: .*5\.1\.1 No such user/],
    ['no-relay', false, /5\.7\.1 Relaying denied/],
    ['tempfail', false, /4\.3\.0 Come back later/],
    ['tempfail-late', false, /4\.3\.0 Come back later/],
    ['drop', false, /^ECONNECTION: /],
  ] as const)('%s', async (mode, forGood, reason) => {
    const handed = await refused(mode)
    expect(handed).toMatchObject({ taken: false, forGood })
    expect(handed?.reason).toMatch(reason)
    expect(await sent(mail())).toBeDefined()
  })

  test('a server that quotes what it refuses is not quoted', async () => {
    const link = 'https://portal.example/verify-email/1/abcdefghijklmnopqrstuvwxyz'
    const said = Object.assign(new Error(`5.6.0 Bad link ${link} and abcdefghijklmnopqrstuvwxyz`), {
      responseCode: 451,
    })
    const strict = await testSmtp({ onRcptTo: (_address, _session, go) => go(said) })
    const handed = await mailerTo(strict.url).send(mail())
    expect(JSON.stringify(handed)).toContain('Bad link … and …')
    expect(JSON.stringify(handed)).not.toContain('abcdefghij')
  })

  test('no server listens', async () => {
    expect(await mailerTo('smtp://127.0.0.1:9').send(mail())).toMatchObject({ taken: false, forGood: false })
  })
})

describe('a server that hangs is given up', () => {
  test.each(['hang', 'hang-late'] as const)('%s', async (mode) => {
    const slow = await testSmtp()
    slow.mode = mode
    const hasty = mailerTo(slow.url, 1000)
    const begun = performance.now()
    expect(await hasty.send(mail())).toMatchObject({ taken: false, forGood: false })
    expect(performance.now() - begun).toBeLessThan(10_000)
    slow.mode = 'accept'
    expect(await hasty.send(mail())).toEqual({ taken: true })
  })
})

describe('credentials', () => {
  const withAuth = () =>
    testSmtp({
      authOptional: false,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username, password }, _session, go) =>
        username === 'me@x.example' && password === 'p/w d'
          ? go(null, { user: username })
          : go(new Error('no')),
    })
  const as = (url: string, who: string) => url.replace('//', `//${who}@`)

  test('are sent when they are set', async () => {
    const { url, received } = await withAuth()
    expect(await mailerTo(as(url, 'me%40x.example:p%2Fw%20d')).send(mail())).toEqual({ taken: true })
    expect(received).toHaveLength(1)
  })

  test('that are wrong or missing leave the letter for a later attempt, and are not shown', async () => {
    const { url } = await withAuth()
    const handed = await mailerTo(as(url, 'me%40x.example:hunter2')).send(mail())
    expect(handed).toMatchObject({ taken: false, forGood: false })
    expect(JSON.stringify(handed)).not.toContain('hunter2')
    expect(await mailerTo(url).send(mail())).toMatchObject({ taken: false, forGood: false })
  })

  test('do not travel unencrypted to another machine', async () => {
    const { url, received } = await withAuth()
    // Any address of this machine that does not look like it.
    const { port } = new URL(url)
    const handed = await mailerTo(`smtp://me%40x.example:p%2Fw%20d@0.0.0.0:${port}`).send(mail())
    expect(handed).toMatchObject({ taken: false, forGood: false })
    expect(received).toHaveLength(0)
  })
})

test('an untrusted certificate is refused', async () => {
  // The server's own, which is published with its source.
  const tls = await testSmtp({ secure: true })
  expect(await mailerTo(tls.url.replace('smtp:', 'smtps:')).send(mail())).toMatchObject({
    taken: false,
    forGood: false,
  })
  const startTls = await testSmtp({ disabledCommands: ['AUTH'] })
  // Any address of this machine that does not look like it.
  const elsewhere = startTls.url.replace('127.0.0.1', '0.0.0.0')
  expect(await mailerTo(elsewhere).send(mail())).toMatchObject({ taken: false })
  expect([...tls.received, ...startTls.received]).toEqual([])
  // A password to this machine is encrypted where the server offers it.
  expect(await mailerTo(startTls.url.replace('//', '//me:pw@')).send(mail())).toMatchObject({ taken: false })
})

test('the mail server of this machine gets letters although its certificate is its own', async () => {
  const own = await testSmtp({ disabledCommands: ['AUTH'] })
  expect(await mailerTo(own.url).send(mail())).toEqual({ taken: true })
  expect(own.received).toHaveLength(1)
})

const hostile = [
  'a\r\nBcc: evil@evil.example',
  'a\nBcc: evil@evil.example',
  'a\rRCPT TO:<evil@evil.example>',
  'ana@example.com\r\nBcc: evil@evil.example',
  'ana@example.com\r\n\r\n<b>body</b>',
  'ana@example.com, evil@evil.example',
  'ana@example.com; evil@evil.example',
  'ana@example.com <evil@evil.example>',
  '<evil@evil.example>ana@example.com',
  '"evil@evil.example x"@example.com',
  '"ana@example.com\\" <evil@evil.example>"@example.com',
  'evil@[evil.example]',
  'ana@example.com(evil@evil.example)',
  'group: evil@evil.example;',
  'ana\u0000@example.com',
  'ana@example.com\u2028Bcc: evil@evil.example',
  '=?utf-8?q?evil=40evil.example=0D=0ABcc:evil=40evil.example?=',
  'anà@exämple.com\u202e',
]

describe('hostile values never become a header or a recipient', () => {
  const headersOf = (raw: string) =>
    raw
      .slice(0, raw.indexOf('\r\n\r\n'))
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => line.slice(0, line.indexOf(':')).toLowerCase())
  const usual = [
    'from',
    'to',
    'subject',
    'message-id',
    'date',
    'mime-version',
    'content-type',
    'auto-submitted',
    'x-auto-response-suppress',
  ]

  test.each(hostile)('as a recipient: %j', async (to) => {
    smtp.mode = 'accept'
    const before = smtp.received.length
    expect(await mailer.send(mail({ to }))).toMatchObject({ taken: false, forGood: true })
    expect(smtp.received).toHaveLength(before)
  })

  test.each(hostile)('in the content: %j', async (text) => {
    const { to, raw, parsed } = await sent(mail({ subject: text, text, html: text }))
    expect(to).toEqual(['ana@example.com'])
    expect(headersOf(raw).sort()).toEqual([...usual].sort())
    expect(parsed.to).toEqual([{ name: '', address: 'ana@example.com' }])
    expect([parsed.cc, parsed.bcc, parsed.replyTo]).toEqual([undefined, undefined, undefined])
  })

  test.each(hostile)('as the name of the sender: %j', async (name) => {
    const strange = smtpMailer(
      {
        smtpUrl: smtp.url,
        mailFrom: { name, address: 'no-reply@portal.example' },
        publicUrl: 'https://portal.example',
      },
      2000,
    )
    opened.push(strange)
    smtp.mode = 'accept'
    expect(await strange.send(mail())).toEqual({ taken: true })
    const { from, to, raw = '' } = smtp.received.at(-1) ?? {}
    expect({ from, to }).toEqual({ from: 'no-reply@portal.example', to: ['ana@example.com'] })
    expect(headersOf(raw).sort()).toEqual([...usual].sort())
    expect((await PostalMime.parse(raw)).from?.address).toBe('no-reply@portal.example')
  })
})

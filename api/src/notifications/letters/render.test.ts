import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { smtpMailer } from '#platform/mail/transport/smtp-mailer.ts'
import { testSmtp } from '#test/support/smtp.ts'
import { causes, type Letter, letterLanguages } from './letters.ts'
import { render } from './render.ts'

const publicUrl = 'https://portal.example'
const where = {
  device: { browser: 'Firefox', system: 'Windows' },
  ip: '203.0.113.7',
  at: '2026-11-21T14:05:09.123Z',
}

/** One of each kind, with the same words wherever a person chose them. */
function everyLetter(words = 'Ana'): Letter[] {
  const name = words
  const link = '/verify-email/12/aB-3_x'
  const held = { amount: '-9.604999', currency: 'USD' }
  const between = { other: words, email: 'mihai@example.com' }
  return [
    { kind: 'verify-email', name, link, ...where },
    { kind: 'already-registered', name, link: '/login', reset: '/forgot-password' },
    { kind: 'password-reset', name, link: '/reset-password#t0ken' },
    ...[0, 1, 2, 20].map(
      (passkeys): Letter => ({
        kind: 'password-changed',
        name,
        remaining: {
          passkeys,
          google: Array(passkeys % 3).fill(words),
          two_factor: passkeys > 1,
          api_keys: Array(passkeys % 3).fill(words),
        },
        ...where,
      }),
    ),
    { kind: 'two-factor-enabled', name, ...where },
    { kind: 'two-factor-disabled', name, ...where },
    { kind: 'two-factor-guessed', name, ...where },
    { kind: 'recovery-codes-renewed', name, ...where },
    ...[0, 1, 9, 20].map((left): Letter => ({ kind: 'recovery-code-used', name, left, ...where })),
    { kind: 'passkey-added', name, passkey: words, ...where },
    { kind: 'passkey-removed', name, passkey: words, ...where },
    { kind: 'google-linked', name, email: words, ...where },
    { kind: 'google-unlinked', name, email: words, ...where },
    { kind: 'google-refused', name, email: words, ...where },
    { kind: 'new-device', name, ...where },
    { kind: 'session-stolen', name, ...where },
    { kind: 'email-change-confirm', name, link: '/email-change#confirm=t0ken' },
    { kind: 'email-changed', name, email: words, link: '/email-change#undo=t0ken' },
    { kind: 'test-letter', name },
    { kind: 'settings-replaced', name, by: 'Dan', settings: ['SMTP_URL'], reason: words },
    { kind: 'staff-invitation', name, role: 'readonly', link: '/desk/join#t0ken' },
    {
      kind: 'staff-request',
      name,
      by: 'Dan',
      verb: 'goodwill',
      about: 'Ana Pop · ana@example.com',
      reason: 'Outage',
      isLonely: true,
    },
    { kind: 'invitation', name, ...between, link: '/invitation/t0ken' },
    { kind: 'invitation-accepted', name, ...between },
    { kind: 'access-removed', name, ...between },
    { kind: 'access-left', name, ...between },
    { kind: 'balance-low', name, held, on: '2026-03-10' },
    ...[0, 1, 20].flatMap((days): Letter[] => [
      { kind: 'balance-negative', name, held, days, on: '2026-09-10' },
      { kind: 'balance-negative', name, held, days, on: null },
      { kind: 'balance-warned', name, held, days, on: '2026-09-10' },
      { kind: 'balance-warned', name, held, days, on: null },
    ]),
    ...[true, false].map((trial): Letter => ({ kind: 'account-suspended', name, held, trial })),
    { kind: 'account-resumed', name },
    { kind: 'account-closed', name, erased: where.at, ...where },
    { kind: 'account-closed-by-staff', name, reason: words, erased: where.at },
    { kind: 'data-export-ready', name, until: where.at },
    { kind: 'data-export-ready', name, until: where.at, byStaff: true },
    { kind: 'panel-degraded', name, panel: words },
    {
      kind: 'plan-assigned',
      name,
      panel: words,
      plan: words,
      on: '2026-03-10',
      reason: words,
      price: { monthly: '8.00', currency: 'USD' },
    },
    { kind: 'panel-stopped', name, panel: words, reason: words },
    { kind: 'panel-terminated', name, panel: words, reason: words },
    ...[[], [words, 'blog']].map(
      (panels): Letter => ({ kind: 'panels-stopped', name, panels, reason: words }),
    ),
    { kind: 'panels-terminated', name, panels: [words, 'blog'], reason: words },
    { kind: 'two-factor-reset', name, reason: words },
    { kind: 'email-change-by-staff', name, email: 'new@example.com', reason: words },
    { kind: 'email-confirmed-by-staff', name, reason: words },
    { kind: 'sessions-ended', name, reason: words },
    { kind: 'account-blocked', name, reason: words },
    { kind: 'account-unblocked', name },
    { kind: 'account-viewed', name, by: words, reason: words },
    ...[[], [words, 'And more']].map(
      (lines): Letter => ({ kind: 'announcement', name, title: words, lines }),
    ),
    { kind: 'newsletter', name, title: words, lines: [words], unsubscribe: '/unsubscribe/t0ken' },
    { kind: 'staff-new-device', name, who: words, ...where },
    { kind: 'staff-alert', name, topic: 'disputed', about: words, facts: [words] },
    ...(['client', 'email'] as const).map((kind): Letter => {
      const said = { author: words, lines: [words, 'And more'], files: [words] }
      return {
        kind: 'ticket-message',
        name,
        number: 'T-4K7QWM2X',
        subject: words,
        to: { ticketId: 7, kind, id: 3 },
        ...said,
      }
    }),
    {
      kind: 'prices-rise',
      name,
      on: '2026-09-10',
      fees: [['web-1'], Array.from({ length: 6 }, () => words)].map((panels) => ({
        plan: words,
        panels,
        currency: 'EUR',
        was: '8.00',
        becomes: '9.50',
      })),
      meters: [
        { was: '0.0010000000', becomes: '0.0023' },
        { was: null, becomes: '1' },
        { was: '1', becomes: '1' },
      ].map((prices, at) => ({
        ...prices,
        meter: at === 0 ? 'traffic_gb' : words,
        unit: 'GB',
        plan: at === 0 ? null : words,
        currency: 'EUR',
      })),
    },
    ...([80, 100] as const).map((percent): Letter => {
      return { kind: 'plan-traffic', name, panel: words, plan: words, percent, used: 400, allowed: 500 }
    }),
    { kind: 'payment-action', name, amount: held, transaction: 7 },
    { kind: 'payment-declined', name, amount: held },
    { kind: 'refund-returned', name, amount: held, number: words },
    { kind: 'card-expiring', name, brand: 'visa', last4: '4242', on: '2026-04-01' },
    { kind: 'card-expired', name, brand: 'visa', last4: '4242', on: '2026-04-01' },
    { kind: 'invoice-copy', number: words, invoiceId: 7 },
    ...(['fiscal', 'credit_note', 'proforma'] as const).flatMap((what) =>
      [{ amount: '20.50', due: '2026-03-10' }, { amount: '60.50', due: null }, null].map((open): Letter => {
        const said = { number: words, on: '2026-03-01', total: '60.50', currency: 'USD', open }
        return {
          kind: 'document-sent',
          name,
          what,
          ...said,
          ...(open && { attached: { invoiceId: 7, formats: ['pdf'] } }),
        }
      }),
    ),
    ...(['fiscal', 'credit_note'] as const).flatMap((what) =>
      ['2026-03-10', null].map((due): Letter => {
        const said = { number: words, total: '60.50', currency: 'USD', due }
        return { kind: 'invoice-issued', name, what, ...said }
      }),
    ),
  ]
}

const each = (letters: Letter[]) =>
  letterLanguages.flatMap((language) => letters.map((letter) => ({ language, kind: letter.kind, letter })))

test('every kind of letter is tested here', () => {
  expect(new Set(everyLetter().map(({ kind }) => kind))).toEqual(new Set(Object.keys(causes)))
})

const smtp = await testSmtp()
const mailer = smtpMailer({
  smtpUrl: smtp.url,
  mailFrom: { name: 'Portico', address: 'no-reply@x.example' },
  publicUrl,
})

describe('every letter in every language', () => {
  test.each(each(everyLetter()))('$kind in $language', async ({ language, letter }) => {
    const { subject, text, html } = render(letter, language, publicUrl)
    expect([subject, text, html].join(' ')).not.toMatch(/undefined|null|NaN|\[object|\$\{/)
    expect(subject).not.toMatch(/[\p{Cc}]/u)
    expect(subject.length).toBeLessThan(75)
    expect(html).toContain(`<html lang="${language}">`)
    for (const [url] of text.matchAll(/https?:\/\/\S+/g)) {
      expect(url.startsWith(`${publicUrl}/`)).toBe(true)
      expect(html).toContain(`href="${url}"`)
    }
    if ('at' in letter) expect(text).toMatch(/203\.0\.113\.7.*21.*2026, 14:05 UTC/)
    if (language === 'ro') expect(text + subject).not.toMatch(/[şţŞŢ]/)
    // The portal says “tu”, and so do its letters.
    if (language === 'ro')
      expect(text + subject).not.toMatch(/(?<!\p{L})(vă|vi|v-au?|dvs|dumneavoastră)(?!\p{L})/iu)

    expect(
      await mailer.send({ messageId: 'a@b', to: 'ana@example.com', subject, text, html, date: new Date(0) }),
    ).toEqual({ taken: true })
    const { raw = '' } = smtp.received.at(-1) ?? {}
    for (const line of raw.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(998)
    const parsed = await PostalMime.parse(raw)
    expect(parsed.subject).toBe(subject)
    expect(parsed.text?.trim()).toBe(text.trim())
    expect(parsed.html?.trim()).toBe(html.trim())
    const names = parsed.headers.map(({ key }) => key)
    expect(names).toEqual([...new Set(names)])
  })
})

test('a letter speaks of where and when in the words of its language', () => {
  const said = (language: 'en' | 'ro', more: object = {}) =>
    render({ kind: 'new-device', name: 'Ana', ...where, ...more }, language, publicUrl).text.split('\n\n')[2]
  expect(said('en')).toBe('Firefox on Windows, from 203.0.113.7, on 21 Nov 2026, 14:05 UTC')
  expect(said('ro')).toBe('Firefox pe Windows, de la 203.0.113.7, pe 21 nov. 2026, 14:05 UTC')
  expect(said('en', { device: { browser: null, system: 'Linux' } })).toMatch(/^Linux, from /)
  expect(said('en', { device: { browser: null, system: null }, ip: null })).toBe('On 21 Nov 2026, 14:05 UTC')
})

test('Romanian counts as it should', () => {
  const left = (count: number) =>
    render({ kind: 'recovery-code-used', name: 'Ana', left: count, ...where }, 'ro', publicUrl).text
  expect(left(1)).toContain('Ți-a mai rămas un cod de recuperare.')
  expect(left(9)).toContain('Ți-au mai rămas 9 coduri de recuperare.')
  expect(left(20)).toContain('Ți-au mai rămas 20 de coduri de recuperare.')
})

test('the subject of an invitation names who gives access to what, and no advertisement', () => {
  const subjectOf = (given: { other?: string; company?: string | null; thing?: string | null }) =>
    render(
      { kind: 'invitation', name: 'Mihai', other: 'Ana Pop', email: 'ana@example.com', link: '/i', ...given },
      'en',
      publicUrl,
    ).subject
  expect(subjectOf({ company: 'Lumen Studio', thing: 'mail-eu1' })).toBe(
    'Ana Pop (Lumen Studio) gives you access to mail-eu1',
  )
  expect(subjectOf({ company: null, thing: null })).toBe('Ana Pop gives you access to their account')
  // A letter that was queued before an upgrade has neither.
  expect(subjectOf({})).toBe('Ana Pop gives you access to their account')
  expect(subjectOf({ company: 'Win at evil.example', thing: 'www.evil' })).toBe(
    'Ana Pop gives you access to their account',
  )
  expect(subjectOf({ other: 'evil.example', thing: 'mail-eu1' })).toBe(
    'You are invited to share a Portico account',
  )
})

describe('a person’s input stays text', () => {
  const typed = [
    '<img src=x onerror=alert(1)>',
    '"><script>alert(1)</script>',
    "' onmouseover='alert(1)",
    '</style><a href="https://evil.example">',
    '&lt;b&gt;',
    'a\r\nBcc: evil@evil.example',
    '\u202emoc.live',
    '\ud800',
  ]
  test.each(typed)('%j', (words) => {
    const plain = render(
      { kind: 'passkey-added', name: 'Ana', passkey: 'key', ...where },
      'en',
      publicUrl,
    ).html
    const tags = (html: string) => html.match(/<[^>]*>/g)
    for (const { letter, language } of each(everyLetter(words))) {
      const { html, text, subject } = render(letter, language, publicUrl)
      expect(html + text + subject).not.toMatch(/\r|[\u202a-\u202e\u2066-\u2069]/)
      expect((html + text).isWellFormed()).toBe(true)
      if (letter.kind === 'passkey-added' && language === 'en') expect(tags(html)).toEqual(tags(plain))
    }
  })
})

test('the letter about a changed password lists the other sign-in methods', () => {
  const letterText = (
    language: 'en' | 'ro',
    passkeys: number,
    google: string[],
    two_factor: boolean,
    api_keys: string[] = [],
  ) =>
    render(
      {
        kind: 'password-changed',
        name: 'Ana',
        remaining: { passkeys, google, two_factor, api_keys },
        ...where,
      },
      language,
      publicUrl,
    ).text
  expect(letterText('en', 0, [], false)).not.toContain('API key')
  expect(letterText('en', 0, [], false, ['Backup', 'CI'])).toContain('still work: Backup and CI.')
  expect(letterText('ro', 0, [], false, ['Backup', 'CI'])).toContain('în continuare: Backup și CI.')
  expect(letterText('en', 0, [], false)).toContain('your account has no passkeys and no linked accounts.')
  expect(letterText('en', 1, [], false)).toContain('sign in to your account with one passkey.')
  const all = letterText('en', 2, ['ana@example.com'], true)
  expect(all).toContain('sign in to your account with 2 passkeys and the Google account ana@example.com.')
  expect(all).toContain('two-factor authentication is on.')
  expect(letterText('ro', 20, ['ana@example.com'], true)).toContain(
    'Te poți conecta la contul tău și cu 20 de chei de acces și contul Google ana@example.com.',
  )
})

test('a name that advertises is not delivered to the registered address', () => {
  const greeting = (name: string) =>
    render({ kind: 'verify-email', name, link: '/x', ...where }, 'en', publicUrl).text.split('\n')[0]
  for (const name of ['Ana', 'Ana-Maria', 'J. R. R.', 'Ștefan Ţ', "O'Neill", '李'])
    expect(greeting(name)).toBe(`Hello ${name},`)
  for (const name of [
    'You won, see evil.example',
    'https://evil.example',
    'www.evil',
    'call +40 7123 45678',
    'me@evil.example',
    '<b>You won</b>',
    '',
    '   ',
    'x'.repeat(200),
  ])
    expect(greeting(name)).toBe('Hello,')
})

test('a link to another host is a bug, and is not sent', () => {
  for (const link of ['//evil.example/x', 'https://evil.example', '/\\evil.example', 'verify'])
    expect(() => render({ kind: 'verify-email', name: 'Ana', link, ...where }, 'en', publicUrl)).toThrow(
      'only links to the portal',
    )
})

import { describe, expect, test } from 'vitest'
import { readMail } from './inbound-mail.ts'

// Anybody can write to our addresses, and what they write is read before it is known who they are.

const authserv = 'mx.support.example'
const mail = (headers: readonly string[], body = 'Still slow') =>
  readMail(Buffer.from([...headers, 'From: Ana <ana@example.com>', '', body].join('\r\n')), authserv)

const html = 'Content-Type: text/html; charset=utf-8'

describe('a crafted mail is parsed quickly', () => {
  // The parser of mails is only loaded with the first of them.
  test('after an ordinary mail has loaded the parser', async () => {
    expect((await mail([])).text).toBe('Still slow')
  })

  test.each<[string, string[], string]>([
    ['tags that do not end', [html], '<'.repeat(500_000)],
    ['breaks that do not end', [html], '<br '.repeat(125_000)],
    ['scripts that do not end', [html], '<script'.repeat(70_000)],
    ['a sender of spaces', [`Return-Path: ${'\u00a0'.repeat(10_000)}x`], ''],
    ['a recipient of brackets', [`Delivered-To: ${'>'.repeat(500_000)}\u2028x`], ''],
    ['another recipient of brackets', [`Delivered-To: ${'<'.repeat(500_000)}\u2028x`], ''],
  ])('%s', async (_what, headers, body) => {
    const begun = performance.now()
    await mail(headers, body)
    expect(performance.now() - begun).toBeLessThan(2500)
  })
})

test('control characters and invalid text are left out', async () => {
  const quoted = 'Content-Transfer-Encoding: quoted-printable'
  const read = await mail(['Message-ID: <a\u0001b@example.com>', quoted], 'One=00 two=09three=0Afour=1B')
  expect(read).toMatchObject({ text: 'One two\tthree\nfour', messageId: '<ab@example.com>' })
})

test('the text of an HTML mail is kept', async () => {
  const page = '<style>p{}</style><p class="a">One<br/>two</p><div>1 &lt; 2</div>'
  expect((await mail([html], page)).text).toBe('One\ntwo\n1 < 2')
})

test.each([
  ['<reply+1@support.example>', 'reply+1@support.example'],
  ['reply+1@support.example', 'reply+1@support.example'],
  ['Support <reply+1@support.example> (it)', 'reply+1@support.example'],
])('an address that it was delivered to is found in %s', async (value, address) => {
  expect((await mail([`Delivered-To: ${value}`])).to).toEqual([address])
})

test.each([
  ['<>', 'return-path'],
  ['', 'return-path'],
  ['<ana@example.com>', undefined],
])('of a mail that goes back to “%s” is known whether a person wrote it', async (value, automatic) => {
  expect((await mail([`Return-Path: ${value}`])).automatic).toBe(automatic)
})

test.each<[string, string | undefined]>([
  ['mx.support.example; spf=none; dmarc=fail header.from=example.com', 'fail'],
  ['mx.support.example; dmarc=pass (p=none (sp=none) dis=none) header.from=example.com', 'pass'],
  ['mx.support.example; spf=none smtp.mailfrom="a;dmarc=pass"@evil.example; dmarc=fail', 'fail'],
  ['mx.support.example; spf=none smtp.mailfrom="a\\";dmarc=pass"@evil.example', undefined],
  ['mx.support.example; spf=none (a (b) ; dmarc=pass ; c)', undefined],
  ['mx.support.example; dmarc=pass; dmarc=fail', undefined],
  ['mx.evil.example; dmarc=pass', undefined],
])('of “%s” only the words of our server count', async (results, dmarc) => {
  expect((await mail([`Authentication-Results: ${results}`])).dmarc).toBe(dmarc)
})

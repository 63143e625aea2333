import { expect, test } from 'vitest'
import { isThisMachine, serverAt, shortenMessage } from './mail-server.ts'

test.each([
  ['localhost', true],
  ['LocalHost', true],
  ['127.0.0.1', true],
  ['127.8.0.1', true],
  ['[::1]', true],
  ['127.mail.example', false],
  ['127.0.0.1.mail.example', false],
  ['localhost.mail.example', false],
  ['10.0.0.1', false],
])('a password may go in the open to %s: %s', (host, is) => {
  expect(isThisMachine(host)).toBe(is)
})

test('the server and its credentials are decoded from the URL', () => {
  expect(serverAt('imaps://me%40x.test:p%2Fw@[2001:db8::1]:1993')).toEqual({
    host: '2001:db8::1',
    port: 1993,
    auth: { user: 'me@x.test', pass: 'p/w' },
  })
  expect(serverAt('smtp://mail.example')).toEqual({ host: 'mail.example' })
})

test('an answer of the mail server is short in the log, without what it quotes', () => {
  const said = shortenMessage(
    `no  ${'k'.repeat(20)}\r\nsee https://portal.example/confirm?t=1 ${'ab '.repeat(200)}`,
  )
  expect(said).toMatch(/^no … see … ab /)
  expect(said).toHaveLength(200)
})

import { expect, test } from 'vitest'
import { addressOf, serverIn } from './mail-server.ts'

const known = {
  host: 'mail.example.com',
  port: '465',
  user: 'me@acme.example',
  password: 'p/w:1@%',
  isStartTls: false,
}

test.each([
  [known, 'smtps://me%40acme.example:p%2Fw%3A1%40%25@mail.example.com:465'],
  [{ ...known, port: '', isStartTls: true }, 'smtp://me%40acme.example:p%2Fw%3A1%40%25@mail.example.com'],
  [{ ...known, user: '', password: '' }, 'smtps://mail.example.com:465'],
  [{ ...known, host: '[::1]', password: '' }, 'smtps://me%40acme.example@[::1]:465'],
  // What is typed before the name of the server is kept too.
  [{ ...known, host: '', port: '' }, 'smtps://me%40acme.example:p%2Fw%3A1%40%25@'],
])('%j is one address, and is read from it', (server, address) => {
  expect(addressOf(server)).toBe(address)
  expect(serverIn(address)).toEqual(server)
})

test('nothing is no address', () => {
  expect(addressOf({ host: '', port: '', user: '', password: '', isStartTls: true })).toBe('')
})

test.each(['', 'mail.example.com', 'imaps://mail.example.com', 'smtps:mail'])(
  '%j is no address of a server',
  (text) => {
    expect(serverIn(text)).toBeUndefined()
  },
)

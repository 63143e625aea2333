import { expect, test } from 'vitest'
import { keyRing } from '#identity/sessions/signing-keys.ts'
import { identityConfig } from './config.ts'

const domainOf = (publicUrl: string) => identityConfig({ publicUrl, seed: 'none' }).cookieDomain

test.each([
  ['https://portal.example.com', 'example.com'],
  ['https://portal.eu.example.com', 'eu.example.com'],
  ['https://example.com', 'example.com'],
  ['https://portal.example.co.uk', 'example.co.uk'],
  ['https://example.co.uk', 'example.co.uk'],
  ['https://lumen.github.io', 'lumen.github.io'],
  ['http://localhost:3000', undefined],
  ['http://127.0.0.1:3000', undefined],
  ['http://[::1]:3000', undefined],
])('cookies of %s are shared across %s', (publicUrl, domain) => {
  expect(domainOf(publicUrl)).toBe(domain)
})

test('cookies are secure exactly when the portal is reached by https', () => {
  expect(identityConfig({ publicUrl: 'https://portal.example.com', seed: 'none' }).secureCookies).toBe(true)
  expect(identityConfig({ publicUrl: 'http://localhost:3000', seed: 'none' }).secureCookies).toBe(false)
})

test('a key ring derives a key for each use from each secret, and reveals no secret', () => {
  const [first, second] = keyRing(`${'a'.repeat(32)}, ${'b'.repeat(32)}`)
  if (second === undefined) throw new Error('the second secret has no key')
  const all = [first, second].flatMap((key) => [
    key.accessToken.export().toString('hex'),
    key.refreshToken.toString('hex'),
    key.throttle.toString('hex'),
  ])
  expect(new Set(all).size).toBe(6)
  expect(keyRing('b'.repeat(32))[0].id).toBe(second.id)
})

test.each(['short', `${'a'.repeat(32)},short`, ''])(
  'a secret with too short a part is refused: %s',
  (secret) => {
    expect(() => keyRing(secret)).toThrow('TOKEN_SECRET')
  },
)

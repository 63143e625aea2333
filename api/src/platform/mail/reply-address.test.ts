import { expect, test } from 'vitest'
import { replyAddresses } from './reply-address.ts'

const secret = 'a'.repeat(40)
const addresses = replyAddresses('Reply@Support.Example', secret)
const to = { ticketId: 12, kind: 'client', id: 345 } as const

test('a reply address identifies its recipient, in upper or lower case', () => {
  const address = addresses.of(to)
  expect(address).toMatch(/^reply\+12\.c345\.[a-z2-7]{26}@support\.example$/)
  expect(addresses.read(address)).toEqual(to)
  expect(addresses.read(address.toUpperCase())).toEqual(to)
  for (const kind of ['staff', 'email'] as const)
    expect(addresses.read(addresses.of({ ...to, kind }))).toEqual({ ...to, kind })
})

test('an address with one changed character is invalid', () => {
  const address = addresses.of(to)
  for (let at = 0; at < address.length; at++)
    for (const other of ['a', '7', '1']) {
      const changed = address.slice(0, at) + other + address.slice(at + 1)
      if (changed !== address) expect([changed, addresses.read(changed)]).toEqual([changed, undefined])
    }
  for (const made of ['', '@', 'reply@support.example', 'reply+12.c345.@support.example', `${address}x`])
    expect(addresses.read(made)).toBeUndefined()
})

test('a part of another address, and an address of another secret or host, say nothing', () => {
  const [other] = [addresses.of({ ...to, id: 346 })]
  const mac = /\.([a-z2-7]{26})@/.exec(other)?.[1] ?? ''
  expect(addresses.read(`reply+12.c345.${mac}@support.example`)).toBeUndefined()
  expect(addresses.read(replyAddresses('reply@support.example', 'b'.repeat(40)).of(to))).toBeUndefined()
  expect(addresses.read(replyAddresses('reply@other.example', secret).of(to))).toBeUndefined()
})

test('during a rotation both secrets are valid', () => {
  const next = replyAddresses('reply@support.example', `${'b'.repeat(40)},${secret}`)
  expect(next.read(addresses.of(to))).toEqual(to)
  expect(addresses.read(next.of(to))).toBeUndefined()
})

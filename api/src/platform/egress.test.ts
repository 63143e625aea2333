import { expect, test } from 'vitest'
import { allowedHosts, isNamed, mayReach } from './egress.ts'

const nothing = allowedHosts([])

test.each([
  '127.0.0.1',
  '127.8.9.10',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  'not an address',
  '',
])('%s is no place to go', (address) => {
  expect(mayReach(address, nothing)).toBe(false)
})

test.each(['93.184.216.34', '1.1.1.1', '2606:4700::1111', '::ffff:93.184.216.34'])(
  '%s is on the open internet',
  (address) => {
    expect(mayReach(address, nothing)).toBe(true)
  },
)

test('only the addresses that the operator names are let through', () => {
  const some = allowedHosts(['10.1.0.0/16', '192.168.7.7', 'fd00:1::/32', 'Engine.Internal'])
  const reached = ['10.1.2.3', '::ffff:10.1.2.3', '192.168.7.7', 'fd00:1::5']
  const not = ['10.2.0.1', '192.168.7.8', 'fd00:2::5', '127.0.0.1']
  expect(reached.map((address) => mayReach(address, some))).toEqual(reached.map(() => true))
  expect(not.map((address) => mayReach(address, some))).toEqual(not.map(() => false))
  expect(['engine.internal', '10.1.2.3', '[fd00:1::5]'].map((host) => isNamed(host, some))).toEqual([
    true,
    true,
    true,
  ])
  expect(['other.internal', '10.2.0.1', '93.184.216.34'].map((host) => isNamed(host, some))).toEqual([
    false,
    false,
    false,
  ])
})

import { expect, test } from 'vitest'
import { recordFault, zoneFault } from './rules.ts'

const zone = (name: string, account: string) => ({ id: `${name}.`, name: `${name}.`, account })
const zones = [zone('example.com', 'p-1'), zone('a.b.example.org', 'p-2')]

test.each([
  ['example.net', undefined],
  ['example.com', 'domain_taken'],
  ['www.example.com', 'domain_taken'],
  ['b.example.org', 'domain_taken'],
  ['example.org', 'domain_taken'],
  ['other.example.org', undefined],
  ['notexample.com', undefined],
  ['co.uk', 'domain_invalid'],
  ['github.io', 'domain_invalid'],
  ['com', 'domain_invalid'],
  ['Example.net', 'domain_invalid'],
  ['a..example.net', 'domain_invalid'],
  ['-a.example.net', 'domain_invalid'],
  [`${'a'.repeat(64)}.net`, 'domain_invalid'],
  [7, 'domain_invalid'],
])('a panel that asks for the zone %s is answered %s', (name, code) => {
  expect(zoneFault(name, 'p-3', zones)?.code).toBe(code)
})

test('a panel may have parents and children of its own zones', () => {
  expect(zoneFault('www.example.com', 'p-1', zones)).toBeUndefined()
  expect(zoneFault('example.org', 'p-2', zones)).toBeUndefined()
})

test.each([
  ['www.example.com', 'A', ['192.0.2.1'], undefined],
  ['*.example.com', 'TXT', ['"x"'], undefined],
  ['_dmarc.example.com', 'TXT', ['"v=DMARC1"'], undefined],
  ['sub.example.com', 'NS', ['ns.other.net.'], undefined],
  ['example.com', 'NS', ['ns.other.net.'], 'name'],
  ['example.com', 'CNAME', ['other.net.'], 'name'],
  ['example.com', 'LUA', ['A "os.execute()"'], 'type'],
  ['example.com', 'SOA', ['x'], 'type'],
  ['example.net', 'A', ['192.0.2.1'], 'name'],
  ['badexample.com', 'A', ['192.0.2.1'], 'name'],
  ['www.example.com', 'A', ['192.0.2.1\n192.0.2.2'], 'contents'],
])('the record %s %s %j in example.com: %s', (name, type, contents, fault) => {
  expect(recordFault('example.com', name, type, contents)).toBe(fault)
})

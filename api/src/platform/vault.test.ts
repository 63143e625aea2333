import { expect, test } from 'vitest'
import { makeVault } from './vault.ts'

const one = 'the first secret, which is long enough'
const two = 'the second secret, which is long enough'

test('sealed text can be opened again, and two seals of one text differ', () => {
  const vault = makeVault(one)
  const [first, second] = [vault.seal('JBSWY3DPEHPK3PXP ș'), vault.seal('JBSWY3DPEHPK3PXP ș')]
  expect(first.equals(second)).toBe(false)
  expect([first, second].map(vault.unseal)).toEqual(['JBSWY3DPEHPK3PXP ș', 'JBSWY3DPEHPK3PXP ș'])
  expect(first.toString('latin1')).not.toContain('JBSWY3DPEHPK3PXP')
})

test('after a change of the secret what the old one sealed is still read, and the new one seals', () => {
  const old = makeVault(one).seal('kept')
  const both = makeVault(`${two}, ${one}`)
  expect(both.unseal(old)).toBe('kept')
  expect(() => makeVault(one).unseal(both.seal('new'))).toThrow('unknown secret')
})

test('a text that was changed by one bit anywhere is refused', () => {
  const vault = makeVault(one)
  const sealed = vault.seal('a')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => vault.unseal(changed), `byte ${at}`).toThrow()
  }
})

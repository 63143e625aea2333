import { expect, test } from 'vitest'
import { startLanguage } from '../../stores/language.ts'
import { documentState } from './document-words.ts'

const said = (kind: 'fiscal' | 'credit_note', status: 'paid' | 'refunded') =>
  documentState({ kind, status }).name()

test('a credit note is issued, where an invoice is paid, in both languages', () => {
  expect([said('fiscal', 'paid'), said('credit_note', 'paid')]).toEqual(['Paid', 'Issued'])
  expect(said('fiscal', 'refunded')).toBe('Refunded')
  startLanguage('ro')
  try {
    expect([said('fiscal', 'paid'), said('credit_note', 'paid')]).toEqual(['Plătită', 'Emisă'])
  } finally {
    startLanguage('en')
  }
})

import { expect, test } from 'vitest'
import { startLanguage } from '../../stores/language.ts'
import { candidateInWords, type Line } from './line-words.tsx'

const ofDocument = (due: number): Line['candidates'][number] => ({
  client_id: 5,
  client_name: 'Librăria Feleac SRL',
  invoice_id: 36,
  full_number: 'PRF-14',
  due,
  payment_id: null,
  received_on: null,
  reference: null,
  signs: ['number', 'name'],
})

test('a candidate says what is left to pay of its document', () => {
  expect(candidateInWords(ofDocument(302.5), 'RON')).toBe(
    'PRF-14 (RON\u00a0302.50) · Librăria Feleac SRL · number, name',
  )
})

test('a paid document that a line names says where the money goes, in both languages', () => {
  expect(candidateInWords(ofDocument(0), 'RON')).toBe(
    'PRF-14 (paid; the money goes to the balance) · Librăria Feleac SRL · number, name',
  )
  startLanguage('ro')
  try {
    expect(candidateInWords(ofDocument(0), 'RON')).toContain('PRF-14 (plătită; banii intră în sold)')
  } finally {
    startLanguage('en')
  }
})

import { declineCauses, isDeclineCode } from '@portico/contract/rules/money/decline-causes.ts'
import { afterEach, expect, test } from 'vitest'
import { startLanguage } from '../../stores/language.ts'
import { providersWords, whyRefused } from './refused-words.ts'

afterEach(() => startLanguage('en'))

const codes = Object.keys(declineCauses)
const inLanguage = (language: 'en' | 'ro') => {
  startLanguage(language)
  return new Map(codes.map((code) => [code, whyRefused(code)]))
}

test('staff read each known code in their language, and nothing of the provider’s English', () => {
  const [english, romanian] = [inLanguage('en'), inLanguage('ro')]
  for (const code of codes) {
    expect(romanian.get(code)).not.toBe(english.get(code))
    expect(providersWords(code, 'Your card was declined.')).toBeNull()
  }
  expect(romanian.get('insufficient_funds')).toBe('Cardul nu are fonduri suficiente.')
  expect(romanian.get('stolen_card')).toBe('Cardul este declarat pierdut sau furat.')
  // Codes of different causes read differently.
  expect(new Set(romanian.values()).size).toBe(new Set(Object.values(declineCauses)).size)
})

test('a code that a provider added later is a decline, with the sentence that came with it', () => {
  startLanguage('ro')
  for (const code of ['brand_new_code', 'constructor', null]) {
    expect(isDeclineCode(code)).toBe(false)
    expect(whyRefused(code)).toBe('Banca a refuzat cardul.')
    expect(providersWords(code, 'The moon is full.')).toBe('The moon is full.')
  }
  expect(providersWords('brand_new_code', null)).toBeNull()
})

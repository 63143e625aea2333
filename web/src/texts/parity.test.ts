import { expect, test } from 'vitest'
import { textParity } from '../../tools/text-parity.ts'
import en from './en.json' with { type: 'json' }
import ro from './ro.json' with { type: 'json' }

/** Every text of a message, whatever its form. */
const words = (message: unknown): string => JSON.stringify(message)

const parameters = (message: unknown): string[] => [...new Set(words(message).match(/\{[a-z]\w*\}/gi))].sort()

test('both languages have the same texts', () => {
  expect(Object.keys(ro)).toEqual(Object.keys(en))
})

test('each text takes the same parameters in both', () => {
  const taken = (texts: object) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, parameters(text)]))
  expect(taken(ro)).toEqual(taken(en))
})

test('no text is missing or left in English', () => {
  expect(textParity()).toEqual({ missing: [], identical: [] })
})

test('Romanian is written with commas below, and has its three plural forms', () => {
  expect(words(ro)).not.toMatch(/[şţŞŢ]/)
  for (const [key, text] of Object.entries(ro)) {
    if (typeof text === 'string') continue
    const forms = text.flatMap(({ match }) => Object.keys(match))
    expect(forms, key).toEqual(['countPlural=one', 'countPlural=few', 'countPlural=other'])
  }
})

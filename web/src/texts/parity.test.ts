import fs from 'node:fs'
import { expect, test } from 'vitest'
import en from './en.json' with { type: 'json' }
import ro from './ro.json' with { type: 'json' }

const sources = `${import.meta.dirname}/..`

/** Every text of a message, whatever its form. */
const words = (message: unknown): string => JSON.stringify(message)

/** What is the same word in both languages, or a name. */
const alike = new Set(['brand', 'card', 'email', 'tab_clusters'])

function code(): string {
  const names = fs.readdirSync(sources, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('compiled') && !name.includes('.test.'))
    .map((name) => fs.readFileSync(`${sources}/${name}`, 'utf8'))
    .join('\n')
}

const parameters = (message: unknown): string[] => [...new Set(words(message).match(/\{[a-z]\w*\}/gi))].sort()

test('both languages have the same texts', () => {
  expect(Object.keys(ro)).toEqual(Object.keys(en))
})

test('each text takes the same parameters in both', () => {
  const taken = (texts: object) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, parameters(text)]))
  expect(taken(ro)).toEqual(taken(en))
})

test('no text was left in English', () => {
  const romanian = new Map<string, unknown>(Object.entries(ro))
  const same = Object.entries(en).filter(
    ([key, text]) => !alike.has(key) && words(romanian.get(key)) === words(text),
  )
  expect(same.map(([key]) => key)).toEqual([])
})

test('every text is used', () => {
  const used = new Set([...code().matchAll(/\bm\.(\w+)/g)].map(([, key]) => key))
  expect(Object.keys(en).filter((key) => !used.has(key))).toEqual([])
})

test('Romanian is written with commas below, and has its three plural forms', () => {
  expect(words(ro)).not.toMatch(/[şţŞŢ]/)
  for (const [key, text] of Object.entries(ro)) {
    if (typeof text === 'string') continue
    const forms = text.flatMap(({ match }) => Object.keys(match))
    expect(forms, key).toEqual(['countPlural=one', 'countPlural=few', 'countPlural=other'])
  }
})

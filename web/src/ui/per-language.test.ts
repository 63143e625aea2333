import { expect, test } from 'vitest'
import { perLanguage } from './per-language.ts'

test('one is made for each language, at its first use', () => {
  const asked: string[] = []
  const formatIn = perLanguage((language) => {
    asked.push(language)
    return new Intl.NumberFormat(language)
  })
  expect(asked).toEqual([])
  const written = ['en', 'ro', 'en', 'ro'].map((language) => formatIn(language).format(1234.5))
  expect(written).toEqual(['1,234.5', '1.234,5', '1,234.5', '1.234,5'])
  expect(asked).toEqual(['en', 'ro'])
})

import { expect, test } from 'vitest'
import { countriesIn, countryOf, formatted, isNumber, movedTo } from './numbers.ts'

test('about 240 countries are offered, by their names and in the order of the language', () => {
  const english = countriesIn('en').map(({ name }) => name)
  expect(english.length).toBeGreaterThan(230)
  expect(english.indexOf('Romania')).toBeLessThan(english.indexOf('United States'))
  expect(countriesIn('ro').find(({ code }) => code === 'DE')).toEqual({
    code: 'DE',
    name: 'Germania',
    dial: '+49',
  })
})

test('a number that is valid takes the international form, whichever way it was typed', () => {
  expect(formatted('0721234567', 'RO')).toBe('+40 721 234 567')
  expect(formatted('+40721234567', 'US')).toBe('+40 721 234 567')
  expect(formatted('(213) 373-4253', 'US')).toBe('+1 213 373 4253')
})

test('an extension is kept in its one form, in the words of no country', () => {
  expect(formatted('+40721234567 x12', 'RO')).toBe('+40 721 234 567 ext. 12')
  expect(formatted('213 373 4253 ext 5', 'US')).toBe('+1 213 373 4253 ext. 5')
  expect(isNumber('+40 721 234 567 ext. 12')).toBe(true)
})

test('an invalid or too long number stays as it was typed', () => {
  expect(formatted('12', 'US')).toBe('12')
  expect(formatted('+40 721', 'RO')).toBe('+40 721')
  expect(formatted('call me', 'RO')).toBe('call me')
  expect(formatted('+40721234567x123456789', 'RO')).toBe('+40721234567x123456789')
  expect(isNumber('+40 721')).toBe(false)
  // The text does not determine a country.
  expect(isNumber('213 373 4253')).toBe(false)
})

test('the dial code that is typed chooses the country, and one that is shared keeps the one there was', () => {
  expect(countryOf('+4', 'US')).toBe('US')
  expect(countryOf('+40', 'US')).toBe('RO')
  expect(countryOf('+1', 'CA')).toBe('CA')
  expect(countryOf('+1', 'RO')).toBe('US')
  expect(countryOf('0721', 'RO')).toBe('RO')
})

test('another country keeps the digits', () => {
  expect(movedTo('', 'US', 'RO')).toBe('+40 ')
  expect(movedTo('+1', 'US', 'RO')).toBe('+40 ')
  expect(movedTo('721 234 567', 'US', 'RO')).toBe('+40 721 234 567')
})

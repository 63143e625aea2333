import { expect, test } from 'vitest'
import { beneath, filledIn } from './ready-text.ts'

const values = { first_name: 'Ștefan', number: 'T-4K7QWM2X', my_name: 'Sorin' }

test('the blanks of a ready answer are filled in, and what is no blank stays', () => {
  expect(filledIn('Hi {first_name}: {number}, {other}. {first_name}!\n{my_name}', values)).toBe(
    'Hi Ștefan: T-4K7QWM2X, {other}. Ștefan!\nSorin',
  )
})

test.each([
  ['[pay here](https://evil.test)', 'pay here https evil test'],
  ['www.evil.test', 'www evil test'],
  ['{number}', 'number'],
  ['$& **Ana**', 'Ana'],
  ['Anne-Marie O’Neil', 'Anne-Marie O’Neil'],
])('a client called %s is called so and nothing more', (first_name, said) => {
  expect(filledIn('Hi {first_name}.', { ...values, first_name })).toBe(`Hi ${said}.`)
})

test('a canned answer is added below the text and replaces nothing', () => {
  expect([beneath(' \n', 'Hi'), beneath('One\n', 'Hi')]).toEqual(['Hi', 'One\n\nHi'])
})

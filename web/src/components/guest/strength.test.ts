import { expect, test } from 'vitest'
import { strengthOf } from './strength.ts'

test('a short password says how many characters are missing, counted as people see them', () => {
  expect(strengthOf('', [])).toEqual({ kind: 'short', missing: 10 })
  expect(strengthOf('ninechars', [])).toEqual({ kind: 'short', missing: 1 })
  expect(strengthOf('🔑🔑🔑🔑🔑🔑🔑🔑🔑', [])).toEqual({ kind: 'short', missing: 1 })
})

test('from ten characters it is good, from sixteen strong', () => {
  expect(strengthOf('ten-chars!', [])).toEqual({ kind: 'good' })
  expect(strengthOf('fifteen-letters', [])).toEqual({ kind: 'good' })
  expect(strengthOf('sixteen-letters!', [])).toEqual({ kind: 'strong' })
})

test('a repetition is guessable, however long', () => {
  expect(strengthOf('abcdabcdabcdabcdabcd', [])).toEqual({ kind: 'guessable' })
  expect(strengthOf('abcdeabcdeabcdeabcde', [])).toEqual({ kind: 'strong' })
})

test('so is what holds the own name or e-mail, in any case', () => {
  const about = ['Ioana', 'Ion', 'ioana.pop@example.test']
  expect(strengthOf('IOANA-in-the-rain', about)).toEqual({ kind: 'guessable' })
  expect(strengthOf('an-example-of-it', about)).toEqual({ kind: 'guessable' })
  // Three letters occur in many words.
  expect(strengthOf('lions-at-the-gate', about)).toEqual({ kind: 'strong' })
})

import { expect, test } from 'vitest'
import { countLine, countPlaywright, countVitest, judged, sum } from './sum.ts'

const file = (status: string, tests: number) => ({ status, assertionResults: Array.from({ length: tests }) })

test('tests of vitest are counted as it says', () => {
  const report = { numPassedTests: 7, numFailedTests: 2, testResults: [file('passed', 5), file('failed', 4)] }
  expect(countVitest(report)).toEqual({ passed: 7, failed: 2 })
})

test('a file that cannot be loaded is a failure, though none of its tests failed', () => {
  const report = { numPassedTests: 5, numFailedTests: 0, testResults: [file('passed', 5), file('failed', 0)] }
  expect(countVitest(report)).toEqual({ passed: 5, failed: 1 })
})

test('tests of the browser are counted as Playwright says', () => {
  expect(countPlaywright({ stats: { expected: 3, unexpected: 1 }, errors: [] })).toEqual({
    passed: 3,
    failed: 1,
  })
})

test('a browser run that breaks outside of any test failed', () => {
  expect(countPlaywright({ stats: { expected: 3, unexpected: 0 }, errors: [{}] })).toEqual({
    passed: 3,
    failed: 1,
  })
})

test.each([
  ['all passed', { passed: 3, failed: 0 }, 0, { passed: 3, failed: 0 }],
  ['some failed', { passed: 3, failed: 2 }, 1, { passed: 3, failed: 2 }],
  ['no test ran', { passed: 0, failed: 0 }, 0, { passed: 0, failed: 1 }],
  ['the runner broke after its tests', { passed: 3, failed: 0 }, 1, { passed: 3, failed: 1 }],
  ['the report lacks a number', { passed: 3, failed: Number.NaN }, 0, { passed: 0, failed: 1 }],
  ['the runner was killed', { passed: 3, failed: 0 }, null, { passed: 3, failed: 1 }],
])('when %s, that is what counts', (_, count, exitCode, expected) => {
  expect(judged(count, exitCode)).toEqual(expected)
})

test.each([
  ['it ended well', 'x\n12 passed, 0 failed\n', 0, { passed: 12, failed: 0 }],
  ['it counted a failure', '12 passed, 2 failed\n', 1, { passed: 12, failed: 2 }],
  ['it was skipped', '0 passed, 0 failed\n', 0, { passed: 0, failed: 0 }],
  ['it broke after its last line', '12 passed, 0 failed\n', null, { passed: 12, failed: 1 }],
  ['it wrote nothing', '', 0, { passed: 0, failed: 1 }],
])('of a step with a last line: when %s, that is what counts', (_, text, exitCode, expected) => {
  expect(countLine(text, exitCode)).toEqual(expected)
})

test('runners are added up, and none is zero', () => {
  expect(
    sum([
      { passed: 3, failed: 1 },
      { passed: 4, failed: 0 },
    ]),
  ).toEqual({ passed: 7, failed: 1 })
  expect(sum([])).toEqual({ passed: 0, failed: 0 })
})

import { expect, test } from 'vitest'
import { failuresOfPlaywright, failuresOfVitest } from './failures.ts'

test('a failed test of vitest is named with the first lines of its message, and a passed one is not', () => {
  const failed = {
    status: 'failed',
    fullName: 'money is kept',
    failureMessages: ['\u001b[31mexpected 1\u001b[39m\nat a'],
  }
  const passed = { status: 'passed', fullName: 'time passes', failureMessages: [] }
  expect(
    failuresOfVitest({
      testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults: [failed, passed] }],
    }),
  ).toEqual(['a.test.ts: money is kept\n    expected 1\n    at a'])
})

test('a file that could not be loaded is named with its reason', () => {
  const file = { name: 'b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] }
  expect(failuresOfVitest({ testResults: [file] })).toEqual(['b.test.ts\n    no such module'])
})

test('failed tests of the browser are found in nested groups, and what broke outside of them', () => {
  const spec = (ok: boolean, title: string) => ({
    file: 'pay.spec.ts',
    line: 7,
    title,
    ok,
    tests: [{ results: [{ errors: ok ? [] : [{ message: 'no time left' }, { message: 'not visible' }] }] }],
  })
  const report = {
    suites: [{ suites: [{ specs: [spec(false, 'a card is kept')] }], specs: [spec(true, 'a form opens')] }],
    errors: [{ message: 'no browser' }],
  }
  expect(failuresOfPlaywright(report)).toEqual([
    'pay.spec.ts:7: a card is kept\n    no time left\n    not visible',
    'outside of any test\n    no browser',
  ])
})

test('a long message is cut to its first lines', () => {
  const message = Array.from({ length: 100 }, (_, n) => `line ${n}`).join('\n')
  const [text] = failuresOfPlaywright({ suites: [], errors: [{ message }] })
  expect(text?.split('\n')).toHaveLength(13)
})

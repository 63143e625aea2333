/** Counts the tests that passed and failed; a file that could not run counts as failed. */
export type Count = { passed: number; failed: number }

/** The part of vitest's JSON report that is read here. */
type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

/** The part of Playwright's JSON report that is read here. */
type PlaywrightReport = { stats: { expected: number; unexpected: number }; errors: unknown[] }

/** A file that fails to load has no tests to fail, so it counts as one failure. */
export function countVitest({ numPassedTests, numFailedTests, testResults }: VitestReport): Count {
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return { passed: numPassedTests, failed: numFailedTests + broken.length }
}

/** A run can also fail outside any test. */
export function countPlaywright({ stats, errors }: PlaywrightReport): Count {
  return { passed: stats.expected, failed: stats.unexpected + errors.length }
}

/** The last `N passed, N failed` of a step that runs by itself. None at all is a failure, as is one that denies its status. */
export function countLine(text: string, exitCode: number | null): Count {
  const [, passed, failed] = [...text.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1) ?? []
  if (passed === undefined || failed === undefined) return { passed: 0, failed: 1 }
  return { passed: Number(passed), failed: exitCode === 0 ? Number(failed) : Math.max(1, Number(failed)) }
}

/** A successful run must have at least one passed test, and a failed run at least one failure. */
export function judged({ passed, failed }: Count, exitCode: number | null): Count {
  // A report without the expected numbers cannot be counted.
  if (!Number.isInteger(passed + failed)) return { passed: 0, failed: 1 }
  const silent = failed === 0 && (exitCode !== 0 || passed === 0)
  return { passed, failed: silent ? 1 : failed }
}

export function sum(counts: readonly Count[]): Count {
  return counts.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed }), {
    passed: 0,
    failed: 0,
  })
}

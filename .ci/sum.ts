/** How many tests passed and failed; what could not run counts as failed. */
export type Count = { passed: number; failed: number }

/** What vitest's JSON reporter writes, as far as it is read here. */
type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

/** What Playwright's JSON reporter writes, as far as it is read here. */
type PlaywrightReport = { stats: { expected: number; unexpected: number }; errors: unknown[] }

/** A file that cannot be loaded has no tests of its own to fail, so it is one failure. */
export function countVitest({ numPassedTests, numFailedTests, testResults }: VitestReport): Count {
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return { passed: numPassedTests, failed: numFailedTests + broken.length }
}

/** A run can also break outside of any test. */
export function countPlaywright({ stats, errors }: PlaywrightReport): Count {
  return { passed: stats.expected, failed: stats.unexpected + errors.length }
}

/** A run that says it went well must have shown so by at least one test, and one that failed by at least one failure. */
export function judged({ passed, failed }: Count, exitCode: number | null): Count {
  // A report without the numbers that are expected is one that nobody understands.
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

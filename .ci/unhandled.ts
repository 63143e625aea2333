// A reporter of vitest that keeps what was thrown outside of any test: its JSON report has only the tests.
import fs from 'node:fs'
import path from 'node:path'

/** Where the errors of the last run are, one text each. */
export const unhandledErrors = path.join(import.meta.dirname, '../.cache/reports/unhandled.json')

export default class {
  onTestRunEnd(_: unknown, errors: readonly { message?: string; stack?: string }[]): void {
    fs.mkdirSync(path.dirname(unhandledErrors), { recursive: true })
    fs.writeFileSync(
      unhandledErrors,
      JSON.stringify(errors.map(({ message, stack }) => stack ?? message ?? '')),
    )
  }
}

// Lists the failures in few lines, repeated at the end of a run, where it is found without reading the whole output.

/** The part of vitest's JSON report that says what failed. */
type VitestReport = {
  testResults: {
    name: string
    status: string
    message?: string
    assertionResults: { status: string; fullName: string; failureMessages?: string[] | null }[]
  }[]
}

type Suite = { suites?: Suite[]; specs?: Spec[] }
type Spec = {
  file: string
  line: number
  title: string
  ok: boolean
  tests: { results: { errors?: { message?: string }[] }[] }[]
}
/** The part of Playwright's JSON report that says what failed. */
type PlaywrightReport = { suites: Suite[]; errors: { message?: string }[] }

const lines = 12
// Terminals' colours, which a report keeps.
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

function told(title: string, message: string | undefined): string {
  const first = (message ?? '').replaceAll(colours, '').split('\n').slice(0, lines)
  return [title, ...first.map((line) => `    ${line.slice(0, 300)}`)].join('\n')
}

/** A text for each test of vitest that failed, and for each file that could not run. */
export function failuresOfVitest({ testResults }: VitestReport): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    if (status === 'failed' && assertionResults.length === 0) return [told(name, message)]
    return assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName, failureMessages }) => told(`${name}: ${fullName}`, failureMessages?.[0]))
  })
}

function specsOf({ suites = [], specs = [] }: Suite): Spec[] {
  return [...specs, ...suites.flatMap(specsOf)]
}

/** A text for each test of the browser that failed, and for each failure outside of any test. */
export function failuresOfPlaywright({ suites, errors }: PlaywrightReport): string[] {
  const failed = suites.flatMap(specsOf).filter(({ ok }) => !ok)
  return [
    ...failed.map(({ file, line, title, tests }) => {
      const found = tests.flatMap(({ results }) => results.flatMap(({ errors = [] }) => errors))
      // A test that ran out of time says so first, and then what it waited for.
      const messages = found.slice(0, 2).map(({ message = '' }) => message)
      return told(`${file}:${line}: ${title}`, messages.join('\n'))
    }),
    ...errors.map(({ message }) => told('outside of any test', message)),
  ]
}

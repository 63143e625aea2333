import * as z from 'zod/mini'

type Issue = Parameters<z.core.$ZodErrorMap>[0]

/** What a value has to be, by the name that the schema has for it. */
const expected: Readonly<Record<string, string>> = {
  string: 'Expected text',
  number: 'Expected a number',
  int: 'Expected a whole number',
  boolean: 'Expected true or false',
  array: 'Expected a list',
}

const formats: Readonly<Record<string, string>> = {
  email: 'Not a valid e-mail address',
  url: 'Not a valid web address',
  datetime: 'Expected a moment in UTC, as 2026-03-18T12:00:00Z',
  date: 'Expected a day, as 2026-03-18',
}

/** What is counted of a value that is too short or too long; of a number nothing is. */
const counted: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }

const notValid = 'Not a valid value'

function oneOf(values: readonly unknown[]): string {
  const [only] = values
  return values.length === 1 ? `Expected ${String(only)}` : `Expected one of ${values.join(', ')}`
}

/** The values of a union of constants; undefined for any other union. */
function constants(options: readonly (readonly z.core.$ZodIssue[])[]): readonly unknown[] | undefined {
  const issues = options.flat()
  return issues.every(({ code }) => code === 'invalid_value')
    ? issues.flatMap((issue) => (issue.code === 'invalid_value' ? issue.values : []))
    : undefined
}

function size(least: boolean, { origin, inclusive = true }: Issue, limit: unknown): string {
  const unit = counted[String(origin)] ?? ''
  if (inclusive === false) return `${least ? 'More' : 'Less'} than ${limit}${unit}`
  return `At ${least ? 'least' : 'most'} ${limit}${unit}`
}

/** What is wrong with a value, where its schema does not say so itself, in a sentence for a person. */
function sentenceOf(issue: Issue): string {
  if (issue.input === undefined || issue.input === null) return 'A value is required'
  switch (issue.code) {
    case 'invalid_type':
      return expected[issue.expected] ?? notValid
    case 'invalid_value':
      return oneOf(issue.values)
    case 'invalid_format':
      return formats[issue.format] ?? notValid
    case 'too_small':
      return size(true, issue, issue.minimum)
    case 'too_big':
      return size(false, issue, issue.maximum)
    case 'invalid_union': {
      const values = constants(issue.errors)
      return values === undefined ? notValid : oneOf(values)
    }
    case 'unrecognized_keys':
      return `There is no field ${issue.keys.join(', ')}`
    default:
      return notValid
  }
}

/** Has the schemas of this process speak to people; without it zod/mini says no more of a fault than that there is one. */
export function speakPlainly(): void {
  z.config({ localeError: sentenceOf })
}

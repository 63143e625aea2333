import * as z from 'zod/mini'
import { type FieldRefusalCode, fault } from './fields.ts'

type Issue = Parameters<z.core.$ZodErrorMap>[0]

/** The fault of a value of the wrong type, by the type that zod expected. */
const expected = {
  string: 'value_not_text',
  number: 'value_not_number',
  int: 'value_not_whole',
  boolean: 'value_not_boolean',
  array: 'value_not_list',
} as const satisfies Record<string, FieldRefusalCode>

const formats: Readonly<Record<string, string>> = {
  email: fault('email_invalid'),
  url: fault('url_invalid'),
  datetime: fault('moment_invalid', { example: '2026-03-18T12:00:00Z' }),
  date: fault('day_invalid', { example: '2026-03-18' }),
}

const notValid = fault('value_invalid')

function oneOf(values: readonly unknown[]): string {
  return values.length === 1
    ? fault('value_not_only', { value: String(values[0]) })
    : fault('value_not_among', { values: values.join(', ') })
}

/** The values of a union of constants; undefined for any other union. */
function constants(options: readonly (readonly z.core.$ZodIssue[])[]): readonly unknown[] | undefined {
  const issues = options.flat()
  return issues.every(({ code }) => code === 'invalid_value')
    ? issues.flatMap((issue) => (issue.code === 'invalid_value' ? issue.values : []))
    : undefined
}

/** The fault of a value below its minimum: a length for strings, a count for lists, the value for numbers. */
function tooSmall({ origin, inclusive, minimum }: Issue & { code: 'too_small' }): string {
  const least = Number(minimum)
  if (origin === 'string')
    return least === 1 ? fault('characters_missing') : fault('characters_least', { least })
  if (origin === 'array') return least === 1 ? fault('entries_missing') : fault('entries_least', { least })
  return inclusive === false ? fault('number_above', { limit: least }) : fault('number_least', { least })
}

function tooBig({ origin, inclusive, maximum }: Issue & { code: 'too_big' }): string {
  const most = Number(maximum)
  if (origin === 'string') return fault('characters_most', { most })
  if (origin === 'array') return fault('entries_most', { most })
  return inclusive === false ? fault('number_below', { limit: most }) : fault('number_most', { most })
}

const isExpected = (type: string): type is keyof typeof expected => Object.hasOwn(expected, type)

/** The fault of a value whose schema names none. */
function messageOf(issue: Issue): string {
  if (issue.input === undefined || issue.input === null) return fault('value_required')
  switch (issue.code) {
    case 'invalid_type':
      return isExpected(issue.expected) ? fault(expected[issue.expected]) : notValid
    case 'invalid_value':
      return oneOf(issue.values)
    case 'invalid_format':
      return formats[issue.format] ?? notValid
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_union': {
      // For a discriminated union, zod reports the values of the discriminator, and no errors of its options.
      const values = Array.isArray(issue.options) ? issue.options : constants(issue.errors)
      return values === undefined ? notValid : oneOf(values)
    }
    case 'unrecognized_keys':
      return fault('field_unknown', { names: issue.keys.join(', ') })
    default:
      return notValid
  }
}

/** Makes the schemas of this process report faults by code; zod/mini has no messages. */
export function nameFaults(): void {
  z.config({ localeError: messageOf })
}

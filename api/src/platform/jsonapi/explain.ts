import type { Row, Runner, Statement } from '#platform/db/pool.ts'
import { isSqlState } from '#platform/db/sql-states.ts'
import { Problem, reason, refuse } from '#platform/errors/problem.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'

// SQLSTATEs of out-of-range or malformed values: the fault is in a parameter, not in the statement.
const wrongValues = [
  'numberOutOfRange',
  'invalidDatetimeFormat',
  'datetimeFieldOverflow',
  'characterNotInRepertoire',
  'invalidTextRepresentation',
  'untranslatableCharacter',
] as const

/**
 * Runs the reads of a request: a value that the database cannot parse is answered
 * `parameter_invalid`.
 */
export const readingOn = (runner: Runner): Runner => ({
  run: <R extends Row>(statement: Statement) =>
    runner.run<R>(statement).catch((error: unknown) => {
      if (!isSqlState(error, ...wrongValues)) throw error
      throw refuse('parameter_invalid', {}, { cause: error })
    }),
})

function pointerTo(model: Model, field: string | undefined): { source?: { pointer: string } } {
  if (field === undefined) return {}
  const place = Object.hasOwn(model.contract.attributes, field) ? 'attributes' : 'relationships'
  return { source: { pointer: `/data/${place}/${field}` } }
}

const constraintOf = (error: unknown): string =>
  error instanceof Error && 'constraint' in error ? String(error.constraint) : ''

/**
 * Translates a constraint violation into a refusal for the client. Only the database can decide: two
 * concurrent requests may both have passed the checks before either wrote.
 */
export function explain(error: unknown, model: Model): unknown {
  // The person became staff while the request ran.
  if (constraintOf(error) === 'staff_no_customer') return refuse('staff_no_customer')
  const known = model.binding.constraints[constraintOf(error)]
  if (isSqlState(error, 'uniqueViolation'))
    return new Problem(known?.refusal ?? reason('value_taken'), pointerTo(model, known?.field))
  if (isSqlState(error, 'foreignKeyViolation'))
    return new Problem(known?.refusal ?? reason('reference_broken'), pointerTo(model, known?.field))
  // Check violations, too long texts and numbers out of range: the contract should have caught them, but the
  // client is at fault.
  if (isSqlState(error, 'checkViolation', 'notNullViolation', 'stringTooLong', ...wrongValues))
    return new Problem(known?.refusal ?? reason('value_unstorable'), pointerTo(model, known?.field))
  return error
}

import type { Pool, Row, Runner, Statement } from '#platform/db/pool.ts'
import { isSqlState } from '#platform/db/sql-states.ts'
import { Problem, reason, refuse } from '#platform/errors/problem.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'

// Out of range, no date, no number, no text that can be stored: what a parameter was, and not what a statement is.
const wrongValues = [
  'numberOutOfRange',
  'invalidDatetimeFormat',
  'datetimeFieldOverflow',
  'characterNotInRepertoire',
  'invalidTextRepresentation',
  'untranslatableCharacter',
] as const

/** The pool, for what a request reads: a value that the database cannot read is `parameter_invalid`, whoever let it through. */
export const readingOn = (pool: Pool): Runner => ({
  run: <R extends Row>(statement: Statement) =>
    pool.run<R>(statement).catch((error: unknown) => {
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
 * Says in the client's terms what a constraint of the database refused. The database is the last to check, and the only
 * one that can: two requests at once may both have looked before either wrote.
 */
export function explain(error: unknown, model: Model): unknown {
  const known = model.binding.constraints[constraintOf(error)]
  if (isSqlState(error, 'uniqueViolation'))
    return new Problem(known?.refusal ?? reason('value_taken'), pointerTo(model, known?.field))
  if (isSqlState(error, 'foreignKeyViolation'))
    return new Problem(known?.refusal ?? reason('reference_broken'), pointerTo(model, known?.field))
  // Check violations, too long texts, numbers out of range: the contract should have said so first, but the client was wrong.
  if (isSqlState(error, 'checkViolation', 'notNullViolation', 'stringTooLong', ...wrongValues))
    return new Problem(known?.refusal ?? reason('value_unstorable'), pointerTo(model, known?.field))
  return error
}

import type { Pool, Row, Runner, Statement } from '#platform/db/pool.ts'
import { Problem, reason, refuse } from '#platform/errors/problem.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'

type DatabaseError = Error & { code: string; constraint?: string; column?: string }

function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

// Out of range, no date, no number, no text that can be stored: what a parameter was, and not what a statement is.
const wrongValues = /^(22003|22007|22008|22021|22P02|22P05)$/

/** The pool, for what a request reads: a value that the database cannot read is `parameter_invalid`, whoever let it through. */
export const readingOn = (pool: Pool): Runner => ({
  run: <R extends Row>(statement: Statement) =>
    pool.run<R>(statement).catch((error: unknown) => {
      if (!isDatabaseError(error) || !wrongValues.test(error.code)) throw error
      throw refuse('parameter_invalid', {}, { cause: error })
    }),
})

function pointerTo(model: Model, field: string | undefined): { source?: { pointer: string } } {
  if (field === undefined) return {}
  const place = Object.hasOwn(model.contract.attributes, field) ? 'attributes' : 'relationships'
  return { source: { pointer: `/data/${place}/${field}` } }
}

/**
 * Says in the client's terms what a constraint of the database refused. The database is the last to check, and the only
 * one that can: two requests at once may both have looked before either wrote.
 */
export function explain(error: unknown, model: Model): unknown {
  if (!isDatabaseError(error)) return error
  const known = error.constraint === undefined ? undefined : model.binding.constraints[error.constraint]
  if (error.code === '23505')
    return new Problem(known?.refusal ?? reason('value_taken'), pointerTo(model, known?.field))
  if (error.code === '23503')
    return new Problem(known?.refusal ?? reason('reference_broken'), pointerTo(model, known?.field))
  // Check violations, too long texts, numbers out of range: the contract should have said so first, but the client was wrong.
  if (/^(23514|23502|22001|22003|22007|22008|22021|22P02|22P05)$/.test(error.code))
    return new Problem(known?.refusal ?? reason('value_unstorable'), pointerTo(model, known?.field))
  return error
}

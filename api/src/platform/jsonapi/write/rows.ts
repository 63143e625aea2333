import type { Context } from '#platform/context.ts'
import { runnerOf, type ServedRow } from '#platform/db/pool.ts'
import { Problem, reason, refuse } from '#platform/errors/problem.ts'
import { isWhole, ruled, verdict } from '#platform/jsonapi/declare/may.ts'
import { changing, type Model } from '#platform/jsonapi/declare/model.ts'
import { changeStatement, idsStatement } from '#platform/jsonapi/read/statements.ts'
import type { Reference } from './document.ts'

/**
 * The row as the actor sees it; `held` locks it until the transaction ends. Hidden and absent rows are both
 * 404.
 */
export async function lockRow(
  context: Context,
  model: Model,
  id: number | string | undefined,
  held = true,
): Promise<ServedRow> {
  // A type without writes may be a view over a join, which cannot be locked and need not be.
  const writable = model.contract.update.length > 0 || model.contract.delete
  const statement = idsStatement(
    model,
    { actor: context.actor, ids: id === undefined ? [] : [id] },
    // Keys do not change, so rows that reference this one need not wait for the lock, which avoids deadlocks.
    held && writable ? 'no key update' : '',
  )
  const [row] = await runnerOf(context.tx).run<ServedRow>(statement)
  if (!row) throw notFound(model)
  return row
}

export function notFound(model: Model): Problem {
  return refuse('not_found', { type: model.name })
}

/** Throws 403 with the policy's own reason, so that the answer matches the disabled button. */
export function assertMay(model: Model, verb: string, context: Context, row: ServedRow | undefined): void {
  const answer = verdict(model, verb, context.actor, row)
  if (answer === true) return
  throw new Problem(answer || reason('forbidden'))
}

/** Throws 403 for a verb that the type does not offer, as JSON:API requires. */
export function assertOffered(model: Model, verb: 'create' | 'update' | 'delete'): void {
  const offered = verb === 'delete' ? model.contract.delete : model.contract[verb].length > 0
  if (!offered) throw refuse(`${verb}_not_offered`, { type: model.name })
}

/** Throws 403 when the actor may change the row but not this field. */
export function assertMayChange(model: Model, field: string, context: Context, row: ServedRow): void {
  if (!model.rules.has(changing(field))) return
  const answer = ruled(model, changing(field), context.actor, row)
  if (answer !== true) throw new Problem(answer || reason('forbidden'))
}

type Looking = Pick<Context, 'tx' | 'actor'>
type Wanted = { readonly id: Reference['id']; readonly pointer?: string }

/** Loads and locks the rows of relationships, each whole and under its own type's read rule. */
export async function lookUp(
  context: Looking,
  target: Model,
  wanted: readonly Wanted[],
): Promise<Map<unknown, ServedRow>> {
  if (wanted.length === 0) return new Map()
  const ids = wanted.map(({ id }) => id)
  const lock = target.contract.delete ? 'share' : ''
  const rows = await runnerOf(context.tx).run<ServedRow>(
    idsStatement(target, { actor: context.actor, ids }, lock),
  )
  // A row that is visible only in part cannot be related to.
  const entire = rows.filter((row) => isWhole(target, context.actor, row))
  const found = new Map(entire.map((row) => [row.id, row]))
  const missing = wanted.find(({ id }) => !found.has(id))
  if (missing)
    throw refuse(
      'not_found',
      { type: target.name },
      missing.pointer === undefined ? {} : { source: { pointer: missing.pointer } },
    )
  return found
}

/**
 * Changes or deletes rows that were read and permitted before. The statement repeats the permission check;
 * rows that no longer match are refused as on first access: 404 when not visible, 403 when visible.
 */
export async function changeRows(
  context: Context,
  model: Model,
  verb: 'update' | 'delete',
  rows: readonly ServedRow[],
  columns: Readonly<Record<string, unknown>> = {},
): Promise<ServedRow[]> {
  const ids = rows.map(({ id }) => id)
  const statement = changeStatement(model, verb, columns, { actor: context.actor, ids })
  const changed = await runnerOf(context.tx).run<ServedRow>(statement)
  const found = new Set(changed.map(({ id }) => id))
  const missed = ids.find((id) => !found.has(id))
  if (missed === undefined) return changed
  assertMay(model, verb, context, await lockRow(context, model, missed))
  throw refuse('changed_meanwhile')
}

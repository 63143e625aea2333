import type { Actor } from '#platform/context.ts'
import type { ServedRow } from '#platform/db/pool.ts'
import { keyRefusal } from './key-reach.ts'
import { type Model, whole } from './model.ts'
import { letsThrough, nobody, ownerName, type Rule, type Verdict } from './policy.ts'
import { viewRefusal } from './view-reach.ts'

/** The verdict of a type's rule by name; a missing rule denies everybody. */
export function ruled(model: Model, name: string, actor: Actor, row: ServedRow | undefined): Verdict {
  const rule: Rule = model.rules.get(name) ?? nobody
  if (letsThrough(rule, model.bits.get(name), actor, row)) return true
  return rule.refusal(ownerName(actor, rule.own === undefined ? undefined : row?.[rule.own]))
}

/**
 * Whether the actor may use the verb, on the row where the verb needs one: the source of `meta.may` and of
 * every 403. Permission is checked first, then the state of the row.
 */
export function verdict(model: Model, verb: string, actor: Actor, row: ServedRow | undefined): Verdict {
  const permitted =
    keyRefusal(model, verb, actor) ?? viewRefusal(model, verb, actor) ?? ruled(model, verb, actor, row)
  if (permitted !== true) return permitted
  // The row is of the type's own table, or absent for a verb of the type; the engine does not know its
  // columns.
  return model.binding.may[verb]?.(actor, row as never) ?? true
}

/** Whether the actor may create in an account, before the new row is known. */
export function mayCreate(model: Model, actor: Actor, account: number): Verdict {
  const { create } = model.binding.policy
  if (model.contract.create.length === 0 || create === undefined) return false
  const refusal = keyRefusal(model, 'create', actor) ?? viewRefusal(model, 'create', actor)
  if (refusal !== undefined) return refusal
  // Staff may create what belongs to a row that they see, if a rule allows it for their role.
  if (actor.staff)
    return 'through' in create
      ? create.clientsOnly !== true && create.somewhere(actor, account)
      : (create.roles?.includes(actor.staff.role) ?? false)
  const permitted =
    'through' in create ? account === actor.id || create.somewhere(actor, account) : create.seen
  if (!permitted) return create.refusal(ownerName(actor, account))
  return model.binding.may.create?.(actor, undefined as never) ?? true // The row does not exist yet.
}

/** Whether the actor may read every field of a row. */
export function isWhole(model: Model, actor: Actor, row: ServedRow): boolean {
  return model.partial === undefined || ruled(model, whole, actor, row) === true
}

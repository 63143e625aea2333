import type { Actor } from '#platform/context.ts'
import type { ServedRow } from '#platform/db/pool.ts'
import { keyRefusal } from './key-reach.ts'
import { type Model, whole } from './model.ts'
import { letsThrough, nobody, ownerName, type Rule, type Verdict } from './policy.ts'

/** A verdict by the rule of this name among a type's rules; a rule that is missing lets nobody through. */
export function ruled(model: Model, name: string, actor: Actor, row: ServedRow | undefined): Verdict {
  const rule: Rule = model.rules.get(name) ?? nobody
  if (letsThrough(rule, model.bits.get(name), actor, row)) return true
  return rule.refusal(ownerName(actor, rule.own === undefined ? undefined : row?.[rule.own]))
}

/**
 * Whether the actor may do the verb, with the row where it is one of a row: what `meta.may` shows, and what a 403 comes
 * from. Permission first, then what the state of the row allows.
 */
export function verdict(model: Model, verb: string, actor: Actor, row: ServedRow | undefined): Verdict {
  const permitted = keyRefusal(model, verb, actor) ?? ruled(model, verb, actor, row)
  if (permitted !== true) return permitted
  // The row is of the type's own table, or absent where the verb is the type's own; the engine does not know its columns.
  return model.binding.may[verb]?.(actor, row as never) ?? true
}

/** Whether the actor may create in an account, before it is known what. */
export function mayCreate(model: Model, actor: Actor, account: number): Verdict {
  const { create } = model.binding.policy
  if (model.contract.create.length === 0 || create === undefined) return false
  const refusal = keyRefusal(model, 'create', actor)
  if (refusal !== undefined) return refusal
  // Staff create what belongs to something that they see, and what a rule says their role may.
  if (actor.staff)
    return 'through' in create
      ? create.somewhere(actor, account)
      : (create.roles?.includes(actor.staff.role) ?? false)
  const permitted =
    'through' in create ? account === actor.id || create.somewhere(actor, account) : create.seen
  if (!permitted) return create.refusal(ownerName(actor, account))
  return model.binding.may.create?.(actor, undefined as never) ?? true // There is no row yet.
}

/** Whether the actor reads the whole of a row. */
export function isWhole(model: Model, actor: Actor, row: ServedRow): boolean {
  return model.partial === undefined || ruled(model, whole, actor, row) === true
}

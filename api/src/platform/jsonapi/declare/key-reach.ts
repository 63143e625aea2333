import {
  type ApiKeyGroup,
  type ApiKeyScope,
  readsGroup,
  writesGroup,
} from '@portico/contract/rules/api-key-scopes.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor, Key } from '#platform/context.ts'
import { Problem, type Refusal, reason, refuse } from '#platform/errors/problem.ts'
import type { Model } from './model.ts'
import type { KeyReach } from './policy.ts'
import type { SymbolicKey } from './symbolic-actor.ts'

const reads = (reach: KeyReach, { scopes }: Key): boolean =>
  [reach.group, ...(reach.alsoReadBy ?? [])].some((group) => readsGroup(scopes, group))

/**
 * The condition for the rows of a type that a key sees out of those its owner sees, compiled once for all
 * keys.
 */
export function keyCondition({ lookup, binding }: Model, key: SymbolicKey): Expression<SqlBool> {
  const reach = binding.keys
  if (lookup) return sql<SqlBool>`true`
  if (reach === undefined) return sql<SqlBool>`false`
  const anywhere = sql<SqlBool>`${key.project} is null`
  const within = reach.inProject ? sql<SqlBool>`(${anywhere} or ${reach.inProject(key.project)})` : anywhere
  return sql<SqlBool>`(${key.says((one) => reads(reach, one))} and ${within})`
}

const limited = reason('key_limited')

const lacking = (scope: ApiKeyScope | `${ApiKeyGroup}:${'read' | 'write'}`): Refusal =>
  reason('key_lacks_scope', { scope })

/** Whether a verb writes. An ability of a row is not a write; its permission is checked where it is used. */
function changes({ contract }: Model, verb: string): boolean {
  if (contract.abilities.includes(verb)) return false
  return contract.actions[verb]?.method !== 'GET'
}

/** The reason why a key may not use a verb of a type, whatever its owner may do; undefined when it may. */
export function keyRefusal(model: Model, verb: string, { key }: Actor): Refusal | undefined {
  if (key === undefined) return undefined
  const reach = model.binding.keys
  if (reach === undefined || reach.never?.includes(verb)) return reason('key_never')
  const { group } = reach
  const writes = changes(model, verb)
  if (writes && !writesGroup(key.scopes, group)) return lacking(`${group}:write`)
  if (key.project === null) return undefined
  // A verb on a type, rather than a row, affects all workspaces.
  const everywhere = model.contract.actions[verb]?.on === 'type'
  return everywhere || (writes && reach.within === undefined) ? limited : undefined
}

/** Throws `key_*` when a key may not create this row with these related rows. */
export function assertKeyCreates(
  model: Model,
  actor: Actor,
  related: Readonly<Record<string, unknown>>,
): void {
  const { within } = model.binding.keys ?? {}
  // A related row was looked up under the key's own read rule, and so belongs to its workspace.
  const outside = actor.key && actor.key.project !== null && (within === undefined || !related[within])
  const refusal = keyRefusal(model, 'create', actor) ?? (outside ? limited : undefined)
  if (refusal !== undefined) throw new Problem(refusal)
}

/** Throws `key_*` for a key that cannot read the type at all, so that the programmer learns the reason. */
export function assertReached({ name, lookup, binding }: Model, { key }: Actor): void {
  if (key === undefined || lookup) return
  const reach = binding.keys
  if (reach === undefined) throw refuse('key_out_of_reach', { type: name })
  if (!reads(reach, key)) throw new Problem(lacking(`${reach.group}:read`))
}

import type { Parameter } from '@portico/contract/refusals/refusal.ts'
import type { ApiKeyGroup } from '@portico/contract/rules/api-key-scopes.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor, Staff } from '#platform/context.ts'
import type { DB } from '#platform/db/types.ts'
import { type Refusal, reason } from '#platform/errors/problem.ts'
import type { SymbolicActor, SymbolicStaff } from './symbolic-actor.ts'

/** Allowed, or denied: `false` without a reason, or a refusal with the reason for the reader. */
export type Verdict = boolean | Refusal

export type Table = keyof DB & string

/**
 * A permission rule on a row, as data that is compiled into the WHERE of every statement on the row. It
 * denies anyone whom it does not name.
 */
export type Rule<T extends string = string> = {
  /** The table that the rule is written for; absent for a rule that fits any table. */
  readonly table?: T
  /** True when everyone who sees the row is allowed. */
  readonly seen: boolean
  /** The column with the owner of the row, who is always allowed. */
  readonly own: string | undefined
  /** The condition on the row that allows others. */
  readonly shared: ((actor: SymbolicActor) => Expression<SqlBool>) | undefined
  /** Only guests with a grant can pass `shared`; for all others the condition is not evaluated. */
  readonly guestsOnly: boolean
  /** The condition that allows staff; the other parts of the rule do not apply to them. Absent: none. */
  readonly staff?: (staff: SymbolicStaff) => Expression<SqlBool>
  /** The staff roles that may use a verb of the type, where there is no row. Absent: none. */
  readonly roles?: readonly Staff['role'][]
  /** The refusal for an actor who sees the row but is not allowed; `owner` is a name, or "the owner". */
  readonly refusal: (owner: Parameter) => Refusal
}

/** The rule for creating: about the actor's own account, or an ability of a related row. */
export type CreateRule = Rule | Through

/**
 * Creating is an ability of another row: a panel may be added by those who may add panels to its workspace.
 */
export type Through = {
  /** The relationship of the new row to that row. */
  readonly through: string
  /** The ability of that row. */
  readonly ability: string
  /**
   * Whether the actor has the ability for some row of an account: the most that a list can say about
   * creating.
   */
  readonly somewhere: (actor: Actor, account: number) => boolean
  /** Staff create no such row, also where they have the ability. */
  readonly clientsOnly?: true
  readonly refusal: (owner: Parameter) => Refusal
}

/**
 * Rows that some readers see only in part: those read `fields`; everyone whom `whole` allows reads
 * everything.
 */
export type Partly<T extends string = string, Field extends string = string> = {
  readonly whole: Rule<T>
  readonly fields: readonly Field[]
  /**
   * Whether the actor may see rows of an account in part. If so, only `fields` may sort and filter its lists.
   */
  readonly concerns: (actor: Actor, account: number) => boolean
}

/** The permissions of a type, as the engine sees them. */
export type Policy = {
  readonly read: Rule
  readonly create?: CreateRule
  readonly part?: Partly
  /** Fields that need a further permission besides that of changing the row. */
  readonly change?: Readonly<Record<string, Rule>>
  /** The rules of `update`, `delete`, and each action and ability by name. */
  readonly verbs: Readonly<Record<string, Rule | undefined>>
}

/** The access of API keys to a type, within that of their owner. A type without this is closed to keys. */
export type KeyReach = {
  /** The group whose scopes allow reading and writing the type. */
  readonly group: ApiKeyGroup
  /** Groups whose scopes also allow reading it, because their own rows make no sense without it. */
  readonly alsoReadBy?: readonly ApiKeyGroup[]
  /**
   * The condition for rows of a workspace; absent where rows belong to none, and a key limited to a workspace
   * sees none.
   */
  readonly inProject?: (project: Expression<number>) => Expression<SqlBool>
  /**
   * The relationship that places a new row in a workspace. A key limited to a workspace may not write types
   * without it: even a refused name would disclose what exists in other workspaces.
   */
  readonly within?: string
  /** Verbs and actions that are forbidden to every key. */
  readonly never?: readonly string[]
}

type Column<T extends Table> = keyof DB[T] & string
export type Reference = { readonly [T in Table]: `${T}.${Column<T>}` }[Table]
export type TableOf<R> = R extends `${infer T}.${string}` ? T : never

const onlyTheOwner = (owner: Parameter): Refusal => reason('owner_only', { owner })

/** Allows every client who sees the row; for a verb without a row, every signed-in client. */
export const everyone: Rule<never> = {
  seen: true,
  own: undefined,
  shared: undefined,
  guestsOnly: false,
  refusal: onlyTheOwner,
}

/** Allows everybody who is signed in, including staff. */
export const anybody: Rule<never> = { ...everyone, staff: () => sql<SqlBool>`true` }

/** Allows nobody, not even the owner. */
export const nobody: Rule<never> = { ...everyone, seen: false, refusal: () => reason('nobody_may') }

/** Allows only the owner in the column; sharing gives no access. */
export function own<R extends Reference>(
  reference: R,
  refusal: (owner: Parameter) => Refusal = onlyTheOwner,
): Rule<TableOf<R>> {
  // The part before the dot is the table, which the type of the reference guarantees.
  const [table, column] = reference.split('.') as [TableOf<R>, string]
  return { table, seen: false, own: column, shared: undefined, guestsOnly: true, refusal }
}

/** Allows the owner in the column, and guests who match a condition. */
export function ownOrShared<R extends Reference>(
  reference: R,
  shared: (actor: SymbolicActor) => Expression<SqlBool>,
  refusal: (owner: Parameter) => Refusal = onlyTheOwner,
): Rule<TableOf<R>> {
  return { ...own(reference, refusal), shared }
}

/** Compiles a rule into a condition on the rows of a table. */
export function conditionOf(rule: Rule, table: string, actor: SymbolicActor): Expression<SqlBool> {
  if (actor.staff) return rule.staff?.(actor.staff) ?? sql<SqlBool>`false`
  if (rule.seen) return sql<SqlBool>`true`
  const arms = [
    ...(rule.own === undefined ? [] : [sql<SqlBool>`${sql.ref(`${table}.${rule.own}`)} = ${actor.id}`]),
    ...(rule.shared && (actor.guest || !rule.guestsOnly) ? [rule.shared(actor)] : []),
  ]
  return arms.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`(${sql.join(arms, sql` or `)})`
}

/** Whether the database must evaluate a rule per row for this kind of actor. */
export function asksDatabase(rule: Rule, { staff, guest }: SymbolicActor): boolean {
  if (staff) return rule.staff !== undefined
  return rule.shared !== undefined && (guest || !rule.guestsOnly)
}

/** The column that carries the result of the database's rules, one bit for each. */
export const gradeColumn = '_can'

type Graded = Readonly<Record<string, unknown>>

/** The most rules of a type that the database evaluates: a number has no more exact bits. */
export const mostGraded = 53

/** Whether a bit is set. Operators on bits cut numbers to 32 of them, so that later rules would read those of earlier ones. */
const isSet = (grade: number, bit: number): boolean => Math.floor(grade / 2 ** bit) % 2 === 1

/** Whether a rule allows the actor, for a row that was read with its grade. */
export function letsThrough(
  rule: Rule,
  bit: number | undefined,
  actor: Actor,
  row: Graded | undefined,
): boolean {
  if (rule.seen && !actor.staff) return true
  if (row === undefined) return actor.staff !== undefined && (rule.roles?.includes(actor.staff.role) ?? false)
  if (rule.own !== undefined && !actor.staff && row[rule.own] === actor.id) return true
  return bit !== undefined && isSet(Number(row[gradeColumn] ?? 0), bit)
}

const theOwner = { en: 'the owner', ro: 'proprietarul' }

/** The owner's name for a refusal. */
export function ownerName(actor: Actor, owner: unknown): Parameter {
  return actor.grants.find((grant) => grant.owner === owner)?.ownerName ?? theOwner
}

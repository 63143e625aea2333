import type { Parameter } from '@portico/contract/refusals/refusal.ts'
import type { ApiKeyGroup } from '@portico/contract/rules/api-key-scopes.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor, Staff } from '#platform/context.ts'
import type { DB } from '#platform/db/types.ts'
import { type Refusal, reason } from '#platform/errors/problem.ts'
import type { SymbolicActor, SymbolicStaff } from './symbolic-actor.ts'

/** Allowed, or refused: `false` with no more to say, or with the reason that a person reads. */
export type Verdict = boolean | Refusal

export type Table = keyof DB & string

/**
 * Who may do something with a row: a piece of data, compiled into the WHERE of every statement that touches the row. What
 * it does not name is refused.
 */
export type Rule<T extends string = string> = {
  /** The table whose rows it speaks of; absent where it speaks of any. */
  readonly table?: T
  /** Whoever sees the row. */
  readonly seen: boolean
  /** The column that names whose the row is: to them it is always allowed. */
  readonly own: string | undefined
  /** What lets others through, as a condition on the row. */
  readonly shared: ((actor: SymbolicActor) => Expression<SqlBool>) | undefined
  /** Only those to whom somebody opened something can be let through by `shared`; of all others it is not even asked. */
  readonly guestsOnly: boolean
  /** Which rows let staff through, of whom nothing else of the rule counts. Absent: none. */
  readonly staff?: (staff: SymbolicStaff) => Expression<SqlBool>
  /** Which staff may do it where there is no row to ask: a verb of the type. Absent: none. */
  readonly roles?: readonly Staff['role'][]
  /** What is told to who sees the row and is not let through; `owner` is a name, or "the owner". */
  readonly refusal: (owner: Parameter) => Refusal
}

/** Who may create: a rule of one's own account, or what an ability of a related row says. */
export type CreateRule = Rule | Through

/** Creating is an ability of another row: a panel is added by who may add panels to its workspace. */
export type Through = {
  /** The relationship of the new row. */
  readonly through: string
  /** The ability of the row that it names. */
  readonly ability: string
  /** Whether it may be there for some row of an account, which is what a list can say of creating. */
  readonly somewhere: (actor: Actor, account: number) => boolean
  readonly refusal: (owner: Parameter) => Refusal
}

/** Rows that some see only in part: they read `fields`, everyone whom `whole` lets through reads everything. */
export type Partly<T extends string = string, Field extends string = string> = {
  readonly whole: Rule<T>
  readonly fields: readonly Field[]
  /** Whether the actor may see rows of an account in part. Then only `fields` sort and filter its lists. */
  readonly concerns: (actor: Actor, account: number) => boolean
}

/** What a type says of permission, as the engine sees it. */
export type Policy = {
  readonly read: Rule
  readonly create?: CreateRule
  readonly part?: Partly
  /** Fields that not everyone may change who may change the row. */
  readonly change?: Readonly<Record<string, Rule>>
  /** `update`, `delete`, and each action and ability by its name. */
  readonly verbs: Readonly<Record<string, Rule | undefined>>
}

/** What API keys reach of a type, beside what their owner does. A type that says nothing is reached by none. */
export type KeyReach = {
  /** The group whose scopes let read and write it. */
  readonly group: ApiKeyGroup
  /** Groups whose scopes let read it too, because what is of them cannot be understood without. */
  readonly alsoReadBy?: readonly ApiKeyGroup[]
  /** Which rows are of a workspace; absent where rows are of none, and a key that is limited to one sees none. */
  readonly inProject?: (project: Expression<number>) => Expression<SqlBool>
  /**
   * The relationship by which a new row is in a workspace. A key that is limited to one writes no other types: even a refused
   * name would tell what there is elsewhere.
   */
  readonly within?: string
  /** Verbs and actions that no key may do. */
  readonly never?: readonly string[]
}

type Column<T extends Table> = keyof DB[T] & string
export type Reference = { readonly [T in Table]: `${T}.${Column<T>}` }[Table]
export type TableOf<R> = R extends `${infer T}.${string}` ? T : never

const onlyTheOwner = (owner: Parameter): Refusal => reason('owner_only', { owner })

/** Every client who sees the row; of a verb without a row, every client who is signed in. */
export const everyone: Rule<never> = {
  seen: true,
  own: undefined,
  shared: undefined,
  guestsOnly: false,
  refusal: onlyTheOwner,
}

/** Whoever is signed in, staff too. */
export const anybody: Rule<never> = { ...everyone, staff: () => sql<SqlBool>`true` }

/** Not even the owner. */
export const nobody: Rule<never> = { ...everyone, seen: false, refusal: () => reason('nobody_may') }

/** The person whom a column names, and nobody else, whatever was shared. */
export function own<R extends Reference>(
  reference: R,
  refusal: (owner: Parameter) => Refusal = onlyTheOwner,
): Rule<TableOf<R>> {
  // What stands before the dot is the table, as the type of the reference says.
  const [table, column] = reference.split('.') as [TableOf<R>, string]
  return { table, seen: false, own: column, shared: undefined, guestsOnly: true, refusal }
}

/** The person whom a column names, and guests whom a condition lets through. */
export function ownOrShared<R extends Reference>(
  reference: R,
  shared: (actor: SymbolicActor) => Expression<SqlBool>,
  refusal: (owner: Parameter) => Refusal = onlyTheOwner,
): Rule<TableOf<R>> {
  return { ...own(reference, refusal), shared }
}

/** A rule as a condition on the rows of a table. */
export function conditionOf(rule: Rule, table: string, actor: SymbolicActor): Expression<SqlBool> {
  if (actor.staff) return rule.staff?.(actor.staff) ?? sql<SqlBool>`false`
  if (rule.seen) return sql<SqlBool>`true`
  const arms = [
    ...(rule.own === undefined ? [] : [sql<SqlBool>`${sql.ref(`${table}.${rule.own}`)} = ${actor.id}`]),
    ...(rule.shared && (actor.guest || !rule.guestsOnly) ? [rule.shared(actor)] : []),
  ]
  return arms.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`(${sql.join(arms, sql` or `)})`
}

/** Whether a rule needs the database to say what it comes to for a row, for this kind of actor. */
export function asksDatabase(rule: Rule, { staff, guest }: SymbolicActor): boolean {
  if (staff) return rule.staff !== undefined
  return rule.shared !== undefined && (guest || !rule.guestsOnly)
}

/** The column that carries what the database said of the rules, a bit for each. */
export const gradeColumn = '_can'

type Graded = Readonly<Record<string, unknown>>

/** Whether a rule lets the actor through for a row that was read with its grade. */
export function letsThrough(
  rule: Rule,
  bit: number | undefined,
  actor: Actor,
  row: Graded | undefined,
): boolean {
  if (rule.seen && !actor.staff) return true
  if (row === undefined) return actor.staff !== undefined && (rule.roles?.includes(actor.staff.role) ?? false)
  if (rule.own !== undefined && !actor.staff && row[rule.own] === actor.id) return true
  return bit !== undefined && ((Number(row[gradeColumn] ?? 0) >> bit) & 1) === 1
}

const theOwner = { en: 'the owner', ro: 'proprietarul' }

/** How a refusal names the owner of a row. */
export function ownerName(actor: Actor, owner: unknown): Parameter {
  return actor.grants.find((grant) => grant.owner === owner)?.ownerName ?? theOwner
}

import type { Relationship, Resource, ToMany, ToOne } from '@portico/contract/jsonapi.ts'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type * as z from 'zod/mini'
import type { Actor, Context, OutsideContext, Related, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { DB } from '#platform/db/types.ts'
import type { Refusal } from '#platform/errors/problem.ts'
import {
  anybody,
  type CreateRule,
  type KeyReach,
  type Partly,
  type Policy,
  type Rule,
  type Table,
  type Verdict,
} from './policy.ts'
import type { SymbolicActor } from './symbolic-actor.ts'

type Column<T extends Table> = keyof DB[T] & string
type Builder<T extends Table> = ExpressionBuilder<DB, T>

type Computed<T extends Table> = (eb: Builder<T>, actor: SymbolicActor) => Expression<unknown>

/** Tables whose rows say in `client_id` to whom they belong. */
type Owned = { [T in Table]: 'client_id' extends Column<T> ? T : never }[Table]

/** A relationship in the database: a to-one by a column of this table, a to-many by a column of the other. */
type Link<T extends Table, R extends Relationship> = R extends ToOne
  ? Column<T> | { readonly inverse: string }
  : R extends ToMany
    ? { readonly foreignKey: string }
    : never

/** Attributes that have a column without saying which: one of their own name, or a time stamp. */
type Found<T extends Table> =
  | Column<T>
  | ('created_at' extends Column<T> ? 'createdAt' : never)
  | ('updated_at' extends Column<T> ? 'updatedAt' : never)

type Verbs<C extends Resource> = C['actions']

/** What an action is called with: its checked input, and the row it is called on. */
type Given<T extends Table, X, I> = {
  readonly input: I extends z.ZodMiniType ? z.output<I> : never
  readonly row: X extends { on: 'one' } ? RowOf<T> : undefined
}

type Answered<O> = Promise<O extends z.ZodMiniType ? z.input<O> : never>

/** A verb in the request's transaction or, for one that calls outside, beside any (see `outside`). */
type Handler<T extends Table, X> = X extends { on: 'one' | 'type'; input: infer I; output: infer O }
  ?
      | ((context: Context, call: Given<T, X, I>) => Answered<O>)
      | Outside<(scene: OutsideContext, call: Given<T, X, I>) => Answered<O>>
  : never

type Outside<F> = { readonly outside: F }

/**
 * Binds an action that calls what is outside, which may take its time or never answer: nothing in the database is held
 * meanwhile. The row is found, the verb permitted and the input checked in a short transaction, which has ended when the
 * verb begins; what it writes, it writes `within` others. So write what is intended, call, then write what came of it.
 */
export const outside = <F>(verb: F): Outside<F> => ({ outside: verb })

/**
 * Sums of a list, if any. Where a table is said to keep them it holds sums of rows under the names of their columns, and is asked
 * instead when nothing narrows the list but `filters`: a total must not take longer the more rows there are.
 */
export type Totals = {
  readonly sums: Readonly<Record<string, Expression<unknown>>>
  /** The first that suits is taken; `count` is the column with the number of rows. */
  readonly kept: readonly {
    readonly table: string
    readonly count: string
    readonly filters: readonly string[]
  }[]
}

/** What a type need not say, but for where its rows are and who sees them. */
type Choices<C extends Resource, T extends Table> = {
  readonly table: T
  /** Who may do what. Its `read` is part of every WHERE: of lists, reads, includes, relationships, filters, counts, writes. */
  readonly policy: PolicyOf<C, T>
  /** Which rows there are at all, for anybody. Said of none: all of the table. */
  readonly present?: (eb: Builder<T>) => Expression<SqlBool>
  /** The column that says whose account a row is: lists show one account, the actor's own unless a filter names another. */
  readonly account?: Column<T>
  /**
   * Filters, besides `client_id`, that name the account: each holds the id of a row that belongs to one, in the table given
   * here. A guest who asks for the servers of a shared panel means those of its owner.
   */
  readonly accountOf?: { readonly [F in keyof C['filters']]?: Owned }
  /** What the state of a row allows of what `policy` allows the actor. A verb without a line here is allowed in any state. */
  readonly may?: {
    readonly create?: (actor: Actor) => Verdict
    readonly update?: (actor: Actor, row: RowOf<T>) => Verdict
    readonly delete?: (actor: Actor, row: RowOf<T>) => Verdict
  } & {
    readonly [X in keyof Verbs<C>]?: (
      actor: Actor,
      row: Verbs<C>[X] extends { on: 'type' } ? undefined : RowOf<T>,
    ) => Verdict
  }
  /** What API keys reach of it. Said of none: nothing. */
  readonly keys?: KeyReach
  /** Column values that a client may never choose. */
  readonly fill?: (
    context: Context & { readonly related: Related; readonly sent: Sent<C> },
  ) => Record<string, unknown> | Promise<Record<string, unknown>>
  /** The order when none is asked for; a leading minus is descending. `id` always breaks ties. */
  readonly order?: C['sorts'][number] | `-${C['sorts'][number]}`
  /** How many rows one document includes at most; fewer than of other types where a row may be long. */
  readonly mostIncluded?: number
  /** Sums over all pages of a list, as its `meta.totals` has them. */
  readonly totals?: Totals
  /** What a row is in a CSV export, by the heading of each column; without it there is no export. */
  readonly csv?: Readonly<
    Record<string, Column<T> | ((eb: Builder<T>, actor: SymbolicActor) => Expression<unknown>)>
  >
  /** What a person reads when the database refuses a value, by constraint name. */
  readonly constraints?: Readonly<Record<string, { readonly field: string; readonly refusal: Refusal }>>
  /** Instead of a plain DELETE: archive, ask the engine, refuse. */
  readonly remove?: (context: Context, row: RowOf<T>) => Promise<void>
  /** Attributes that several columns hold, or other tables: what of a value goes to columns of this one. */
  readonly spread?: {
    readonly [A in keyof C['attributes']]?: (value: z.output<C['attributes'][A]>) => {
      readonly [K in Column<T>]?: unknown
    }
  }
  /** What a row is made with that is told once, in the answer to its creation, and kept in other columns or not at all. */
  readonly once?: () => {
    readonly columns: { readonly [K in Column<T>]?: unknown }
    readonly told: { readonly [A in keyof C['attributes']]?: z.input<C['attributes'][A]> }
  }
  /** After a row was created, in the same transaction: what else follows from it. */
  readonly created?: (context: Context, row: RowOf<T>, sent: Sent<C>) => Promise<void>
  /**
   * After a row was created and committed: calls what is outside, and writes within transactions of its own. What it returns
   * is told in the answer to the creation alone. It may be called again for the same row, should the answer not get out.
   */
  readonly begun?: (
    scene: OutsideContext,
    row: RowOf<T>,
  ) => Promise<{ readonly [A in keyof C['attributes']]?: unknown }>
  /** After a row was changed, in the same transaction: what follows from the difference. */
  readonly updated?: (context: Context, row: RowOf<T>, before: RowOf<T>, sent: Sent<C>) => Promise<void>
}

/** The checked values of attributes that a request sent. */
type Sent<C extends Resource> = { readonly [A in keyof C['attributes']]?: z.output<C['attributes'][A]> }

/**
 * Who may do what with a type: reading, what of it the contract offers, its actions and its abilities. There is no
 * default: a verb that is offered and not named here does not compile, or stops the start.
 */
type PolicyOf<C extends Resource, T extends Table> = {
  readonly read: Rule<T>
  readonly part?: Partly<T, keyof C['attributes'] & string>
  readonly create?: CreateRule
  readonly update?: Rule<T>
  readonly delete?: Rule<T>
  /** Fields that not everyone may change who may change the row. */
  readonly change?: { readonly [F in keyof (C['attributes'] & C['relationships'])]?: Rule<T> }
} & { readonly [X in keyof Verbs<C> | C['abilities'][number]]: Rule<T> }

/** A part that a type must have when the contract declares something for it, and may leave out when it does not. */
type Part<Name extends string, Declared, Half> = [Declared] extends [never]
  ? { readonly [N in Name]?: Half }
  : { readonly [N in Name]: Half }

/** Sorts whose name is neither an attribute nor a column. */
type Unsortable<C extends Resource, T extends Table> = Exclude<
  C['sorts'][number],
  keyof C['attributes'] | Column<T>
>

/** What a type must say, because the contract promises it. */
type Duties<C extends Resource, T extends Table> = Part<
  'columns',
  Exclude<keyof C['attributes'], Found<T>>,
  {
    readonly [A in Exclude<keyof C['attributes'], Found<T>>]: Column<T> | Computed<T>
  } & { readonly [A in keyof C['attributes']]?: Column<T> | Computed<T> }
> &
  Part<
    'filters',
    keyof C['filters'],
    {
      readonly [F in keyof C['filters']]:
        | Column<T>
        | ((eb: Builder<T>, value: Expression<string>, actor: SymbolicActor) => Expression<SqlBool>)
    }
  > &
  Part<'sorts', Unsortable<C, T>, { readonly [S in Unsortable<C, T>]: Column<T> }> &
  Part<
    'relationships',
    keyof C['relationships'],
    { readonly [R in keyof C['relationships']]: Link<T, C['relationships'][R]> }
  > &
  Part<'actions', keyof Verbs<C>, { readonly [X in keyof Verbs<C>]: Handler<T, Verbs<C>[X]> }>

/** A contract with its server half, as the engine sees it: names checked by `serve`, types set aside. */
export type Served = {
  readonly contract: Resource
  /** Rows are the same for everyone and change with a release: kept in memory, rendered once. */
  readonly lookup: boolean
  readonly binding: {
    readonly table: string
    /** The columns of the table, which statements name one by one. */
    readonly stored: readonly string[]
    readonly policy: Policy
    readonly present?: (eb: never) => Expression<SqlBool>
    readonly account?: string
    readonly accountOf?: Readonly<Record<string, string | undefined>>
    readonly keys?: KeyReach
    readonly columns: Readonly<
      Record<string, string | ((eb: never, actor: SymbolicActor) => Expression<unknown>)>
    >
    readonly may: Readonly<Record<string, ((actor: Actor, row: never) => Verdict) | undefined>>
    readonly fill?: (
      context: Context & { readonly related: Related; readonly sent: never },
    ) => Record<string, unknown> | Promise<Record<string, unknown>>
    readonly filters: Readonly<
      Record<
        string,
        string | ((eb: never, value: Expression<string>, actor: SymbolicActor) => Expression<SqlBool>)
      >
    >
    readonly sorts: Readonly<Record<string, string>>
    readonly order?: string
    readonly relationships: Readonly<
      Record<string, string | { readonly inverse: string } | { readonly foreignKey: string }>
    >
    readonly mostIncluded?: number
    readonly totals?: Totals
    readonly csv?: Readonly<
      Record<string, string | ((eb: never, actor: SymbolicActor) => Expression<unknown>)>
    >
    readonly constraints: Readonly<Record<string, { readonly field: string; readonly refusal: Refusal }>>
    readonly remove?: (context: Context, row: never) => Promise<void>
    readonly spread: Readonly<Record<string, ((value: never) => Record<string, unknown>) | undefined>>
    readonly once?: () => {
      readonly columns: Readonly<Record<string, unknown>>
      readonly told: Readonly<Record<string, unknown>>
    }
    readonly created?: (context: Context, row: never, sent: Record<string, unknown>) => Promise<void>
    readonly begun?: (scene: OutsideContext, row: never) => Promise<Readonly<Record<string, unknown>>>
    readonly updated?: (
      context: Context,
      row: never,
      before: never,
      sent: Record<string, unknown>,
    ) => Promise<void>
    readonly actions: Readonly<
      Record<
        string,
        | ((context: Context, call: { input: never; row: never }) => Promise<unknown>)
        | Outside<(scene: OutsideContext, call: { input: never; row: never }) => Promise<unknown>>
      >
    >
  }
}

/**
 * Binds a declared type to the database and to permission. A declared filter, relationship, action or attribute without
 * a server half does not compile; `serve.test-d.ts` shows it.
 */
export function serve<const C extends Resource, const T extends Table>(
  contract: C,
  binding: Choices<C, T> & Duties<C, T>,
): Served {
  const nothing = {
    columns: {},
    may: {},
    filters: {},
    sorts: {},
    relationships: {},
    constraints: {},
    spread: {},
    actions: {},
  }
  const { read, part, create, change, ...verbs } = binding.policy
  const policy = { read, part, create, change, verbs }
  // The typed binding was checked above; the engine walks it by name and so sees it without its row types.
  return {
    contract,
    lookup: false,
    binding: {
      ...nothing,
      ...binding,
      stored: columns[binding.table],
      policy,
    } as unknown as Served['binding'],
  }
}

/** Binds a reference type: every signed-in person reads it, nobody writes it here. */
export function lookup<const C extends Resource, const T extends Table>(
  contract: C,
  binding: Omit<Choices<C, T>, 'policy' | 'present' | 'may' | 'fill' | 'account'> & Duties<C, T>,
): Served {
  const open = { ...binding, policy: { read: anybody } }
  // What a reference type must not say is what `serve` takes beside this; the compiler cannot add up the two generics.
  return { ...serve(contract, open as unknown as Choices<C, T> & Duties<C, T>), lookup: true }
}

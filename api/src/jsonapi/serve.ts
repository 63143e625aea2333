import type { Relationship, Resource, ToMany, ToOne } from '@portico/contract/jsonapi.ts'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type * as z from 'zod/mini'
import type { Actor, Context, RowOf } from '../db/context.ts'
import type { DB } from '../db/types.ts'
import type { SymbolicActor } from './actor.ts'

/** Allowed, or refused: `false` with no more to say, a string with the reason a person reads. */
export type Verdict = boolean | string

export type Table = keyof DB & string
type Column<T extends Table> = keyof DB[T] & string
type Builder<T extends Table> = ExpressionBuilder<DB, T>

/** Rows that relationships of the request name, each looked up through its own type's `visible`. */
export type Related = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>

type Condition<T extends Table> = (eb: Builder<T>, actor: SymbolicActor) => Expression<SqlBool>
type Computed<T extends Table> = (eb: Builder<T>, actor: SymbolicActor) => Expression<unknown>

/** A relationship in the database: a to-one by a column of this table, a to-many by a column of the other. */
type Link<T extends Table, R extends Relationship> = R extends ToOne
  ? Column<T> | { readonly inverse: string }
  : R extends ToMany
    ? { readonly foreignKey: string }
    : never

/** An attribute whose name is a column needs no line; any other must be given one. */
type ColumnMap<T extends Table, A> = {
  readonly [K in Exclude<keyof A, Column<T> | 'createdAt' | 'updatedAt'>]: Column<T> | Computed<T>
} & { readonly [K in keyof A]?: Column<T> | Computed<T> }

type Stamps<T extends Table> = {
  readonly [K in 'createdAt' | 'updatedAt']?: Column<T>
}

type Verbs<C extends Resource> = C['actions']

type Handler<T extends Table, X> = X extends { on: 'one' | 'type'; input: infer I; output: infer O }
  ? (
      context: Context,
      call: {
        readonly input: I extends z.ZodMiniType ? z.output<I> : never
        readonly row: X extends { on: 'one' } ? RowOf<T> : undefined
      },
    ) => Promise<O extends z.ZodMiniType ? z.input<O> : never>
  : never

export type Binding<C extends Resource, T extends Table> = {
  readonly table: T
  /** Which rows exist for the actor. Part of every WHERE: of lists, reads, includes, relationships, writes, counts. */
  readonly visible: Condition<T>
  /** The column that says whose account a row is: lists show one account, the actor's own unless `filter[client_id]` names another. */
  readonly account?: Column<T>
  readonly columns?: ColumnMap<T, C['attributes']> & Stamps<T>
  /** Whether the actor may do what the contract offers. A verb without a line here is allowed to whoever sees the row. */
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
  /** Column values that a client may never choose. */
  readonly fill?: (context: Context & { readonly related: Related }) => Record<string, unknown>
  readonly filters: {
    readonly [F in keyof C['filters']]:
      | Column<T>
      | ((eb: Builder<T>, value: Expression<string>) => Expression<SqlBool>)
  }
  /** Only for a sort whose name is neither an attribute nor a column. */
  readonly sorts?: { readonly [S in C['sorts'][number]]?: Column<T> }
  /** The order when none is asked for; a leading minus is descending. `id` always breaks ties. */
  readonly order?: C['sorts'][number] | `-${C['sorts'][number]}`
  readonly relationships: { readonly [R in keyof C['relationships']]: Link<T, C['relationships'][R]> }
  /** What a person reads when the database refuses a value, by constraint name. */
  readonly constraints?: Readonly<Record<string, { readonly field: string; readonly detail: string }>>
  /** Instead of a plain DELETE: archive, ask the engine, refuse. */
  readonly remove?: (context: Context, row: RowOf<T>) => Promise<void>
  /** After a row was created, in the same transaction: what else follows from it. */
  readonly created?: (context: Context, row: RowOf<T>) => Promise<void>
  /** After a row was changed, in the same transaction: what follows from the difference. */
  readonly updated?: (context: Context, row: RowOf<T>, before: RowOf<T>) => Promise<void>
  readonly actions: { readonly [X in keyof Verbs<C>]: Handler<T, Verbs<C>[X]> }
}

type Loose<B> = { -readonly [K in keyof B as object extends Required<B>[K] ? K : never]?: B[K] } & {
  [K in keyof B as object extends Required<B>[K] ? never : K]: B[K]
}

/** A contract with its server half, as the engine sees it: names checked by `serve`, types set aside. */
export type Served = {
  readonly contract: Resource
  /** Rows are the same for everyone and change with a release: kept in memory, rendered once. */
  readonly lookup: boolean
  readonly binding: {
    readonly table: string
    readonly visible: (eb: never, actor: SymbolicActor) => Expression<SqlBool>
    readonly account?: string
    readonly columns: Readonly<
      Record<string, string | ((eb: never, actor: SymbolicActor) => Expression<unknown>)>
    >
    readonly may: Readonly<Record<string, ((actor: Actor, row: never) => Verdict) | undefined>>
    readonly fill?: (context: Context & { readonly related: Related }) => Record<string, unknown>
    readonly filters: Readonly<
      Record<string, string | ((eb: never, value: Expression<string>) => Expression<SqlBool>)>
    >
    readonly sorts: Readonly<Record<string, string>>
    readonly order?: string
    readonly relationships: Readonly<
      Record<string, string | { readonly inverse: string } | { readonly foreignKey: string }>
    >
    readonly constraints: Readonly<Record<string, { readonly field: string; readonly detail: string }>>
    readonly remove?: (context: Context, row: never) => Promise<void>
    readonly created?: (context: Context, row: never) => Promise<void>
    readonly updated?: (context: Context, row: never, before: never) => Promise<void>
    readonly actions: Readonly<
      Record<string, (context: Context, call: { input: never; row: never }) => Promise<unknown>>
    >
  }
}

/** Parts of a binding that a type without filters, relationships or actions need not write. */
type Lean<C extends Resource, T extends Table> = Loose<
  Pick<Binding<C, T>, 'filters' | 'relationships' | 'actions'>
> &
  Omit<Binding<C, T>, 'filters' | 'relationships' | 'actions'>

/**
 * Binds a declared type to the database and to permission. A declared filter, relationship, action or attribute without
 * a server half does not compile.
 */
export function serve<const C extends Resource, const T extends Table>(
  contract: C,
  binding: Lean<C, T>,
): Served {
  const { columns = {}, may = {}, sorts = {}, constraints = {}, ...rest } = binding
  return {
    contract,
    lookup: false,
    // The typed binding is checked above; the engine walks it by name and so sees it without its row types.
    binding: {
      filters: {},
      relationships: {},
      actions: {},
      ...rest,
      columns,
      may,
      sorts,
      constraints,
    } as unknown as Served['binding'],
  }
}

/** Binds a reference type: every signed-in person reads it, nobody writes it here. */
export function lookup<const C extends Resource, const T extends Table>(
  contract: C,
  binding: Omit<Lean<C, T>, 'visible' | 'may' | 'fill' | 'account'>,
): Served {
  // `visible` has no column to name in a type that everyone reads; the rest was checked by the parameter's type.
  const open = { ...binding, visible: (eb: Builder<T>) => eb.lit(true) } as unknown as Lean<C, T>
  return { ...serve(contract, open), lookup: true }
}

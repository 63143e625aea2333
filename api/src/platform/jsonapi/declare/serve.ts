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
  type Rule,
  type Table,
  type Verdict,
} from './policy.ts'
import type { Listed, Outside, Served, Totals } from './served.ts'
import type { SymbolicActor } from './symbolic-actor.ts'

type Column<T extends Table> = keyof DB[T] & string
type Builder<T extends Table> = ExpressionBuilder<DB, T>

type Computed<T extends Table> = (eb: Builder<T>, actor: SymbolicActor) => Expression<unknown>

/** Tables whose rows name their owner in `client_id`. */
type Owned = { [T in Table]: 'client_id' extends Column<T> ? T : never }[Table]

/** A relationship in the database: a to-one uses a column of this table, a to-many a column of the other. */
type Link<T extends Table, R extends Relationship> = R extends ToOne
  ? Column<T> | { readonly inverse: string }
  : R extends ToMany
    ? { readonly foreignKey: string }
    : never

/** Attributes whose column is found by name: the same name, or a time stamp. */
type Found<T extends Table> =
  | Column<T>
  | ('created_at' extends Column<T> ? 'createdAt' : never)
  | ('updated_at' extends Column<T> ? 'updatedAt' : never)

type Verbs<C extends Resource> = C['actions']

/** The arguments of an action: its validated input, and its row. */
type Given<T extends Table, X, I> = {
  readonly input: I extends z.ZodMiniType ? z.output<I> : never
  readonly row: X extends { on: 'one' } ? RowOf<T> : undefined
}

type Answered<O> = Promise<O extends z.ZodMiniType ? z.input<O> : never>

/**
 * The handler of a verb, which runs in the request's transaction, or outside any transaction if it calls out
 * (see `outside`).
 */
type Handler<T extends Table, X> = X extends { on: 'one' | 'type'; input: infer I; output: infer O }
  ?
      | ((context: Context, call: Given<T, X, I>) => Answered<O>)
      | Outside<(outsideContext: OutsideContext, call: Given<T, X, I>) => Answered<O>>
  : never

/**
 * Binds an action that makes outside calls, which may hang, so that nothing in the database is held
 * meanwhile. A short transaction finds the row, checks the permission and validates the input, and ends
 * before the handler runs; the handler writes in further transactions by `within`. So record the intent,
 * call, then record the outcome.
 */
export const outside = <F>(verb: F): Outside<F> => ({ outside: verb })

/** The optional parts of a type's binding, besides its table and its policy. */
type Choices<C extends Resource, T extends Table> = {
  readonly table: T
  /**
   * The permissions. `read` is part of every WHERE: of lists, reads, includes, relationships, filters, counts
   * and writes.
   */
  readonly policy: PolicyOf<C, T>
  /** The rows that exist for anyone at all. Default: the whole table. */
  readonly present?: (eb: Builder<T>) => Expression<SqlBool>
  /**
   * The column with the account of a row: a list shows one account, the actor's own unless a filter names
   * another.
   */
  readonly account?: Column<T>
  /**
   * Filters besides `client_id` that imply the account: each holds the id of a row, in the table given here,
   * that belongs to an account. A guest who lists the servers of a shared panel means those of the panel's
   * owner.
   */
  readonly accountOf?: { readonly [F in keyof C['filters']]?: Owned }
  /** The filter by which a list shows the rows of every account that the reader sees. */
  readonly everyAccount?: keyof C['filters'] & string
  /** State checks for verbs that `policy` already allows. A verb without an entry is allowed in any state. */
  readonly may?: {
    readonly create?: (actor: Actor) => Verdict
    readonly update?: (actor: Actor, row: RowOf<T>) => Verdict
    readonly delete?: (actor: Actor, row: RowOf<T>) => Verdict
  } & {
    readonly [X in keyof Verbs<C> | C['abilities'][number]]?: (
      actor: Actor,
      row: X extends keyof Verbs<C> ? (Verbs<C>[X] extends { on: 'type' } ? undefined : RowOf<T>) : RowOf<T>,
    ) => Verdict
  }
  /** The access of API keys. Default: none. */
  readonly keys?: KeyReach
  /** Staff who see an account as its owner does never see rows of the type. Default: they see what the owner sees. */
  readonly views?: 'never'
  /** The type exists for staff alone: everyone else gets the 404 of an address without a route. */
  readonly ofStaff?: true
  /**
   * Finds the ids of a page first, and computes the columns for these rows alone: for long lists with computed columns,
   * which cannot be sorted by them. Default: one pass, which also computes the rows of the pages before.
   */
  readonly pageFirst?: true
  /** Writes of staff are a day's work, logged with the word `routine` where no reason is sent. Default: a reason. */
  readonly routine?: true
  /** Column values that a client may never choose. */
  readonly fill?: (
    context: Context & { readonly related: Related; readonly sent: Sent<C> },
  ) => Record<string, unknown> | Promise<Record<string, unknown>>
  /** The default order; a leading minus is descending. `id` always breaks ties. */
  readonly order?: C['sorts'][number] | `-${C['sorts'][number]}`
  /** The maximum number of included rows per document; lower than the default for types with long rows. */
  readonly mostIncluded?: number
  /** Sums over all pages of a list, for its `meta.totals`. */
  readonly totals?: Totals
  /** Staff export the rows of one account alone: those of everybody are what a stolen sign-in would take. */
  readonly csvOfOne?: boolean
  /** The CSV export of a row, by column heading; without it the type has no export. */
  readonly csv?: Readonly<
    Record<string, Column<T> | ((eb: Builder<T>, actor: SymbolicActor) => Expression<unknown>)>
  >
  /** The field and refusal for each constraint that the database may raise, by constraint name. */
  readonly constraints?: Readonly<Record<string, { readonly field: string; readonly refusal: Refusal }>>
  /** Replaces a plain DELETE: archive, ask the engine, or refuse. */
  readonly remove?: (context: Context, row: RowOf<T>) => Promise<void>
  /** Attributes that are stored in several columns or tables: maps a value to the columns of this table. */
  readonly spread?: {
    readonly [A in keyof C['attributes']]?: (value: z.output<C['attributes'][A]>) => {
      readonly [K in Column<T>]?: unknown
    }
  }
  /**
   * Values that are generated with a row and returned once, in the response to its creation; stored in other
   * columns or not at all.
   */
  readonly once?: () => {
    readonly columns: { readonly [K in Column<T>]?: unknown }
    readonly returned: { readonly [A in keyof C['attributes']]?: z.input<C['attributes'][A]> }
  }
  /**
   * Before a row is created, while nothing in the database is held: asks what is outside whether it would do its part, and
   * throws what is to be refused. Only what the actor may create is asked about, and what was answered before is not again.
   */
  readonly proposed?: (
    outsideContext: OutsideContext,
    wish: { readonly sent: Sent<C>; readonly related: Related },
  ) => Promise<void>
  /** Notes that somebody opened a row by its id, in a transaction of its own before the answer; may refuse it. */
  readonly opened?: (context: Pick<Context, 'tx' | 'actor' | 'now'>, id: number) => Promise<void>
  /** Notes how many rows of the type a list answers to a role, in a transaction of its own before the answer; may refuse it. */
  readonly listed?: Listed
  /** Counts a GET action by its name, in a transaction of its own before it runs; may refuse it. A read itself writes nothing. */
  readonly counted?: {
    readonly [A in keyof C['actions']]?: (context: Pick<Context, 'tx' | 'actor' | 'now'>) => Promise<void>
  }
  /** Runs after a row was created, in the same transaction. */
  readonly created?: (context: Context, row: RowOf<T>, sent: Sent<C>) => Promise<void>
  /**
   * Runs after the creation was committed: may call outside, and writes in its own transactions. Its result
   * appears only in the response to the creation. It may run again for the same row if the response was lost.
   */
  readonly begun?: (
    outsideContext: OutsideContext,
    row: RowOf<T>,
  ) => Promise<{ readonly [A in keyof C['attributes']]?: unknown }>
  /** Runs after a row was changed, in the same transaction, with both versions. */
  readonly updated?: (context: Context, row: RowOf<T>, before: RowOf<T>, sent: Sent<C>) => Promise<void>
}

/** The validated attribute values of a request. */
type Sent<C extends Resource> = { readonly [A in keyof C['attributes']]?: z.output<C['attributes'][A]> }

/**
 * The permissions of a type: reading, the verbs of the contract, its actions and its abilities. There is no
 * default: an offered verb without a rule does not compile, or stops the start.
 */
type PolicyOf<C extends Resource, T extends Table> = {
  readonly read: Rule<T>
  readonly part?: Partly<T, keyof C['attributes'] & string>
  readonly create?: CreateRule
  readonly update?: Rule<T>
  readonly delete?: Rule<T>
  /** Fields that need a further permission besides that of changing the row. */
  readonly change?: { readonly [F in keyof (C['attributes'] & C['relationships'])]?: Rule<T> }
} & { readonly [X in keyof Verbs<C> | C['abilities'][number]]: Rule<T> }

/** A part that is required when the contract declares something for it, and optional otherwise. */
type Part<Name extends string, Declared, Half> = [Declared] extends [never]
  ? { readonly [N in Name]?: Half }
  : { readonly [N in Name]: Half }

/** Sorts whose name is neither an attribute nor a column. */
type Unsortable<C extends Resource, T extends Table> = Exclude<
  C['sorts'][number],
  keyof C['attributes'] | Column<T>
>

/** The parts of a binding that the contract requires. */
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

/**
 * Binds a declared type to its table and permissions. A declared filter, relationship, action or attribute
 * without a binding does not compile; `serve.test-d.ts` proves it.
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
  // The binding was type-checked above; the engine walks it by name and without its row types.
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

/** Binds a reference type: every signed-in person reads it, and nobody writes it through the API. */
export function lookup<const C extends Resource, const T extends Table>(
  contract: C,
  binding: Omit<Choices<C, T>, 'policy' | 'present' | 'may' | 'fill' | 'account'> & Duties<C, T>,
): Served {
  const open = { ...binding, policy: { read: anybody } }
  // A reference type takes only part of what `serve` takes; the compiler cannot combine the two generics.
  return { ...serve(contract, open as unknown as Choices<C, T> & Duties<C, T>), lookup: true }
}

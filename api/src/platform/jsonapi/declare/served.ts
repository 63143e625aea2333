import type { Resource } from '@portico/contract/jsonapi.ts'
import type { Expression, SqlBool } from 'kysely'
import type { Actor, Context, OutsideContext, Related, Staff } from '#platform/context.ts'
import type { Refusal } from '#platform/errors/problem.ts'
import type { KeyReach, Policy, Verdict } from './policy.ts'
import type { SymbolicActor } from './symbolic-actor.ts'

/** An action that runs outside any transaction; `outside` in serve.ts binds one. */
export type Outside<F> = { readonly outside: F }

/**
 * Sums of a list. A table in `kept` holds precomputed sums under the names of the columns, and is used when
 * only its `filters` narrow the list: the time for a total must not grow with the number of rows.
 */
export type Totals = {
  readonly sums: Readonly<Record<string, Expression<unknown>>>
  /** The first match is used; `count` is the column with the number of rows. */
  readonly kept: readonly {
    readonly table: string
    readonly count: string
    readonly filters: readonly string[]
  }[]
}

/** Notes how many rows a list answers to staff of a role. */
export type Listed = {
  readonly to: Staff['role']
  readonly note: (context: Pick<Context, 'tx' | 'actor' | 'now'>, rows: number) => Promise<void>
}

/**
 * A contract with its binding as the engine sees it: `serve` has checked the names, and the types are erased.
 */
export type Served = {
  readonly contract: Resource
  /** Rows are the same for everyone and change only with a release: cached in memory, rendered once. */
  readonly lookup: boolean
  readonly binding: {
    readonly table: string
    /** The columns of the table; statements name them one by one. */
    readonly stored: readonly string[]
    readonly policy: Policy
    readonly present?: (eb: never) => Expression<SqlBool>
    readonly account?: string
    readonly accountOf?: Readonly<Record<string, string | undefined>>
    readonly everyAccount?: string
    readonly keys?: KeyReach
    readonly views?: 'never'
    readonly ofStaff?: true
    readonly pageFirst?: true
    readonly routine?: true
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
    readonly opened?: (context: Pick<Context, 'tx' | 'actor' | 'now'>, id: number) => Promise<void>
    readonly listed?: Listed
    readonly counted?: Readonly<
      Record<string, ((context: Pick<Context, 'tx' | 'actor' | 'now'>) => Promise<void>) | undefined>
    >
    readonly totals?: Totals
    readonly csvOfOne?: boolean
    readonly csv?: Readonly<
      Record<string, string | ((eb: never, actor: SymbolicActor) => Expression<unknown>)>
    >
    readonly constraints: Readonly<Record<string, { readonly field: string; readonly refusal: Refusal }>>
    readonly remove?: (context: Context, row: never) => Promise<void>
    readonly spread: Readonly<Record<string, ((value: never) => Record<string, unknown>) | undefined>>
    readonly once?: () => {
      readonly columns: Readonly<Record<string, unknown>>
      readonly returned: Readonly<Record<string, unknown>>
    }
    readonly created?: (context: Context, row: never, sent: Record<string, unknown>) => Promise<void>
    readonly proposed?: (outsideContext: OutsideContext, wish: never) => Promise<void>
    readonly begun?: (
      outsideContext: OutsideContext,
      row: never,
    ) => Promise<Readonly<Record<string, unknown>>>
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
        | Outside<(outsideContext: OutsideContext, call: { input: never; row: never }) => Promise<unknown>>
      >
    >
  }
}

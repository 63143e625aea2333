import { type Expression, sql } from 'kysely'
import type { Actor, Capability } from '../db/context.ts'

/** What a statement's parameters are taken from when it runs. */
export type Values = {
  readonly actor: Actor
  /** Checked filter values by name. */
  readonly filters?: ReadonlyMap<string, unknown>
  /** The account a list shows. */
  readonly account?: number
  readonly ids?: readonly (number | string)[]
  /** Ids of the parents whose children are read, by the column that points to them. */
  readonly parents?: Readonly<Record<string, readonly (number | string)[]>>
  readonly limit?: number
  readonly offset?: number
}

/** A place in a compiled statement that is filled in when the statement runs, so that one plan serves every request. */
export class Slot {
  readonly read: (values: Values) => unknown

  constructor(read: (values: Values) => unknown) {
    this.read = read
  }
}

/** The actor inside a condition: every value is a parameter, so a condition is written once and never holds a person. */
export type SymbolicActor = {
  readonly id: Expression<number>
  owners(capability: Capability): Expression<number[]>
}

export const symbolicActor: SymbolicActor = {
  id: sql<number>`${new Slot(({ actor }) => actor.id)}::int8`,
  owners: (capability) => sql<number[]>`${new Slot(({ actor }) => actor.owners(capability))}::int8[]`,
}

/** The values of a statement: slots are read, everything else is what was compiled in. */
export function fill(parameters: readonly unknown[], values: Values): unknown[] {
  return parameters.map((one) => (one instanceof Slot ? one.read(values) : one))
}

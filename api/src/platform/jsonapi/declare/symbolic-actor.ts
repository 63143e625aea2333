import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor, Key } from '#platform/context.ts'

/** The runtime values of a statement's parameters. */
export type Values = {
  readonly actor: Actor
  /** Validated filter values, by name. */
  readonly filters?: ReadonlyMap<string, unknown>
  /** The account of a list. */
  readonly account?: number
  readonly ids?: readonly (number | string)[]
  /** Ids of the parents whose children are read, by the foreign key column. */
  readonly parents?: Readonly<Record<string, readonly (number | string)[]>>
  readonly limit?: number
  readonly offset?: number
}

/**
 * A placeholder in a compiled statement that is filled in at run time, so that one plan serves every request.
 */
export class Slot {
  readonly read: (values: Values) => unknown

  constructor(read: (values: Values) => unknown) {
    this.read = read
  }
}

/**
 * The actor inside a condition: every value is a parameter, so that a condition is compiled once and never
 * holds a person.
 */
export type SymbolicActor = {
  readonly id: Expression<number>
  /** Whether the actor has grants. Statements for other actors do not mention grants. */
  readonly guest: boolean
  /** A member of staff; only the staff part of a rule applies to them. */
  readonly staff: SymbolicStaff | undefined
  /** An API key, which sees only the part of its owner's rows that it was granted. */
  readonly key: SymbolicKey | undefined
  /** A member of staff who sees what the owner does, except for what is closed to them. */
  readonly view: boolean
  /** A list of ids of the actor, read when the statement runs. */
  numbers(read: (actor: Actor) => readonly number[]): Expression<number[]>
}

/** A member of staff inside a condition. */
export type SymbolicStaff = { readonly id: Expression<number>; readonly role: Expression<string> }

/** An API key inside a condition. */
export type SymbolicKey = {
  /** Null when the key is not limited to a workspace. */
  readonly project: Expression<number>
  /** A boolean property of the key, read when the statement runs. */
  says(read: (key: Key) => boolean): Expression<SqlBool>
}

type Kind = {
  readonly guest?: boolean
  readonly staff?: SymbolicStaff
  readonly key?: SymbolicKey
  readonly view?: boolean
}

const symbolic = ({ guest = false, staff, key, view = false }: Kind): SymbolicActor => ({
  id: sql<number>`${new Slot(({ actor }) => actor.id)}::int8`,
  guest,
  staff,
  key,
  view,
  numbers: (read) => sql<number[]>`${new Slot(({ actor }) => read(actor))}::int8[]`,
})

const guest = symbolic({ guest: true })
const ownerAlone = symbolic({})
const viewer = symbolic({ view: true })

const member = symbolic({
  staff: {
    id: sql<number>`${new Slot(({ actor }) => actor.staff?.id ?? 0)}::int8`,
    role: sql<string>`${new Slot(({ actor }) => actor.staff?.role ?? '')}::text`,
  },
})

const program = symbolic({
  key: {
    project: sql<number>`${new Slot(({ actor }) => actor.key?.project ?? null)}::int8`,
    says: (read) =>
      sql<SqlBool>`${new Slot(({ actor }) => actor.key !== undefined && read(actor.key))}::boolean`,
  },
})

/** The symbolic actor of an actor's kind, so that statements are compiled per kind and not per person. */
export const symbolicOf = ({ staff, key, view, grants }: Actor): SymbolicActor => {
  if (staff) return member
  if (key) return program
  if (view) return viewer
  return grants.length > 0 ? guest : ownerAlone
}

/** A client inside a statement of its own, which is compiled for them alone. */
export const asClient = (actor: Actor): SymbolicActor => ({
  id: sql<number>`${actor.id}::int8`,
  guest: actor.grants.length > 0,
  staff: undefined,
  key: undefined,
  view: actor.view !== undefined,
  numbers: (read) => sql<number[]>`${read(actor)}::int8[]`,
})

/** The actor of a call without sign-in: it owns nothing, and nothing is shared with it. */
export const anonymous: Actor = {
  kind: 'client',
  id: 0,
  accountId: '',
  sessionId: '',
  emailVerified: false,
  language: 'en',
  grants: [],
  owners: () => [],
  reach: () => ({ accounts: [], except: [], projects: [], listedIn: [], panels: [] }),
}

/** Resolves the parameters of a statement: slots take their values, all others are constants. */
export function fill(parameters: readonly unknown[], values: Values): unknown[] {
  return parameters.map((one) => (one instanceof Slot ? one.read(values) : one))
}

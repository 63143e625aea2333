import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor, Key } from '#platform/context.ts'

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
  /** Whether somebody opened something to the actor. Statements for those who are no guests say nothing of grants. */
  readonly guest: boolean
  /** A member of staff, of whom no rule counts but what it says of staff. */
  readonly staff: SymbolicStaff | undefined
  /** A key, which sees of what its owner does only what it was given. */
  readonly key: SymbolicKey | undefined
  /** Something that the actor has a number of, read when the statement runs. */
  numbers(read: (actor: Actor) => readonly number[]): Expression<number[]>
}

/** A member of staff inside a condition. */
export type SymbolicStaff = { readonly id: Expression<number>; readonly role: Expression<string> }

/** An API key inside a condition. */
export type SymbolicKey = {
  /** Null when it is not limited to a workspace. */
  readonly project: Expression<number>
  /** Something that is so of the key or not, read when the statement runs. */
  says(read: (key: Key) => boolean): Expression<SqlBool>
}

type Kind = { readonly guest?: boolean; readonly staff?: SymbolicStaff; readonly key?: SymbolicKey }

const symbolic = ({ guest = false, staff, key }: Kind): SymbolicActor => ({
  id: sql<number>`${new Slot(({ actor }) => actor.id)}::int8`,
  guest,
  staff,
  key,
  numbers: (read) => sql<number[]>`${new Slot(({ actor }) => read(actor))}::int8[]`,
})

const guest = symbolic({ guest: true })
const ownerAlone = symbolic({})

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

/** The actor as conditions see them: there is one of each kind, so that statements are compiled for kinds and not persons. */
export const symbolicOf = ({ staff, key, grants }: Actor): SymbolicActor => {
  if (staff) return member
  if (key) return program
  return grants.length > 0 ? guest : ownerAlone
}

/** Whoever asks a call that is open to all: it owns nothing, and nothing is open to it. */
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

/** The values of a statement: slots are read, everything else is what was compiled in. */
export function fill(parameters: readonly unknown[], values: Values): unknown[] {
  return parameters.map((one) => (one instanceof Slot ? one.read(values) : one))
}

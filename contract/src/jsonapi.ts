import * as z from 'zod/mini'

/** A schema of one value on the wire. Browser and server read the same one. */
export type Schema = z.ZodMiniType

export type ToOne<Target extends string = string> = {
  readonly kind: 'to-one'
  readonly type: Target
  /** May be null, and so may be left out when creating. */
  readonly nullable: boolean
}
export type ToMany<Target extends string = string> = { readonly kind: 'to-many'; readonly type: Target }
export type Relationship = ToOne | ToMany

/** A custom call under `-actions`. GET only reads; what changes state is POST. */
export type Action = {
  readonly method: 'GET' | 'POST'
  /** `one`: /{type}/{id}/-actions/{name}; `type`: /{type}/-actions/{name}. */
  readonly on: 'one' | 'type'
  /**
   * The action needs no session. Only for actions of a type, because rows are visible to signed-in readers
   * only.
   */
  readonly open?: boolean
  /** An open action that answers those who are signed in by their own account. */
  readonly personal?: boolean
  /** For so many seconds the answer may be kept by who asked, and by anyone when it is not personal. */
  readonly fresh?: number
  /** A POST must carry an Idempotency-Key; any other may. */
  readonly keyed?: boolean
  /** The answer holds a secret that is stored nowhere: an Idempotency-Key is not heeded. */
  readonly unkept?: boolean
  /** What it writes is gone within a minute, so the log of staff does not keep it. */
  readonly passing?: boolean
  /** The largest body where it is above the usual one: it is received only from those whose requests the type answers. */
  readonly mostBytes?: number
  readonly input: Schema
  readonly output: Schema
  readonly description: string
}

type Names<T> = readonly (keyof T & string)[]

/** The public interface of a JSON:API type. Requests, replies, forms, types and docs derive from it. */
export type Resource<
  Type extends string = string,
  A extends Record<string, Schema> = Record<string, Schema>,
  R extends Record<string, Relationship> = Record<string, Relationship>,
  F extends Record<string, Schema> = Record<string, Schema>,
  S extends string = string,
  X extends Record<string, Action> = Record<string, Action>,
  B extends string = string,
> = {
  readonly type: Type
  readonly description: string
  /** Ids are integers, except for types that declare `text`. */
  readonly id: 'integer' | 'text'
  readonly attributes: A
  readonly relationships: R
  /**
   * Fields a client may send when creating; a field may be left out when its schema accepts null. Empty:
   * cannot be created.
   */
  readonly create: readonly string[]
  /** Fields a client may change. Empty: cannot be changed. */
  readonly update: readonly string[]
  /** `accepted`: the deletion continues after the response, which is 202 with the current row. */
  readonly delete: boolean | 'accepted'
  /** Creating requires an Idempotency-Key, because money follows; on other types it is optional. */
  readonly keyed: boolean
  /** Fields that are silently dropped from requests, because older clients send the whole record back. */
  readonly ignored: readonly string[]
  readonly filters: F
  readonly sorts: readonly S[]
  readonly actions: X
  /**
   * Actions on a row that are not verbs of its type, as `meta.may` lists them: other types are created
   * through them.
   */
  readonly abilities: readonly B[]
}

// An empty `{}` constraint is what keeps an absent part from widening to an index signature.
type None = Record<never, never>

/**
 * Declares a JSON:API type. `attributes` are the values in responses; `create` and `update` name the fields
 * that a client may send; `filters` are the keys of `filter[..]` with the schema of their (string) value;
 * `sorts` the names for `sort`.
 */
export function resource<
  const Type extends string,
  const A extends Record<string, Schema>,
  const R extends Record<string, Relationship> = None,
  const F extends Record<string, Schema> = None,
  const S extends string = never,
  const X extends Record<string, Action> = None,
  const B extends string = never,
>(
  type: Type,
  spec: {
    description: string
    id?: 'integer' | 'text'
    attributes: A
    relationships?: R
    create?: Names<NoInfer<A & R>>
    update?: Names<NoInfer<A & R>>
    delete?: boolean | 'accepted'
    keyed?: boolean
    ignored?: readonly string[]
    filters?: F
    sorts?: readonly S[]
    actions?: X
    abilities?: readonly B[]
  },
): Resource<Type, A, R, F, S, X, B> {
  return {
    type,
    description: spec.description,
    id: spec.id ?? 'integer',
    attributes: spec.attributes,
    // Absent parts are the empty record that their type parameter defaults to; TypeScript cannot infer that.
    relationships: spec.relationships ?? ({} as R),
    create: spec.create ?? [],
    update: spec.update ?? [],
    delete: spec.delete ?? false,
    keyed: spec.keyed ?? false,
    ignored: spec.ignored ?? [],
    filters: spec.filters ?? ({} as F),
    sorts: spec.sorts ?? [],
    actions: spec.actions ?? ({} as X),
    abilities: spec.abilities ?? [],
  }
}

export function toOne<const T extends string>(type: T, more: { nullable?: boolean } = {}): ToOne<T> {
  return { kind: 'to-one', type, nullable: more.nullable ?? false }
}

export function toMany<const T extends string>(type: T): ToMany<T> {
  return { kind: 'to-many', type }
}

export function action<
  const M extends 'GET' | 'POST',
  const On extends 'one' | 'type',
  I extends Schema,
  O extends Schema,
>(spec: {
  method: M
  on: On
  open?: On extends 'type' ? true : never
  personal?: true
  fresh?: M extends 'GET' ? number : never
  keyed?: true
  unkept?: true
  passing?: M extends 'POST' ? true : never
  mostBytes?: number
  description: string
  input: I
  output: O
}) {
  return spec satisfies Action
}

/** A field in `create` may be left out when its schema accepts null or undefined. */
export function mayBeLeftOut(field: Schema | Relationship): boolean {
  if ('kind' in field) return field.kind === 'to-many' || field.nullable
  return z.safeParse(field, null).success || z.safeParse(field, undefined).success
}

/** Sort and filter accept `created_at` and `createdAt`: the wire uses the second, older clients the first. */
export const aliases: Readonly<Record<string, string>> = { created_at: 'createdAt', updated_at: 'updatedAt' }

/**
 * Whether rows of a type can be found by `filter[name]`, which matches the whole name without regard to case.
 */
export const hasName = ({ attributes }: Resource): boolean => Object.hasOwn(attributes, 'name')

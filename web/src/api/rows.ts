import type {
  AbilityName,
  ActionName,
  Attributes,
  Registry,
  RelationshipName,
  TypeName,
} from '@portico/contract/index.ts'

type Verb<T extends TypeName> = 'update' | 'delete' | ActionName<T> | AbilityName<T>

/** The reader's permissions on a row, and the reasons for those that are denied. */
export type May<T extends TypeName> = { readonly [V in Verb<T>]?: boolean }
export type Denied<T extends TypeName> = { readonly [V in Verb<T>]?: string }

type Target<T extends TypeName, R extends RelationshipName<T>> = Registry[T]['relationships'][R] extends {
  kind: infer K
  type: infer U extends TypeName
}
  ? K extends 'to-many'
    ? Row<U>[]
    : Row<U> | null
  : never

/** Ids are integers, except for api-keys. */
export type Id<T extends TypeName> = T extends 'api-keys' ? string : number
const idOf = ({ type, id }: Identifier) => (type === 'api-keys' ? id : Number(id))

/** A resource as screens use it: id, attributes, included relationships, and permissions. */
export type Row<T extends TypeName, R extends RelationshipName<T> = never> = {
  readonly type: T
  readonly id: Id<T>
  readonly may: May<T>
  readonly denied: Denied<T>
} & Readonly<Attributes<T>> & { readonly [K in R]: Target<T, K> }

export type Page = { number: number; size: number; total: number; pages: number }
export type Rows<T extends TypeName, R extends RelationshipName<T> = never> = {
  readonly items: Row<T, R>[]
  readonly page: Page
  readonly may: { readonly create: boolean }
  readonly denied: { readonly create?: string }
}

type Identifier = { type: string; id: string }
type Resource = Identifier & {
  attributes?: Record<string, unknown>
  relationships?: Record<string, { data?: Identifier | Identifier[] | null }>
  meta?: { may?: Record<string, boolean>; denied?: Record<string, string> }
}
export type Document = {
  data: Resource | Resource[]
  included?: Resource[]
  meta?: { page?: Page; may?: { create: boolean }; denied?: { create?: string } }
}

type Loose = Record<string, unknown>

/**
 * Reads rows from a document. A resource becomes one object however often it is referenced, so cycles work.
 */
function reader(document: Document) {
  const all = [document.data, document.included ?? []].flat()
  const byKey = new Map(all.map((resource) => [`${resource.type} ${resource.id}`, resource]))
  const made = new Map<string, Loose>()
  function read(resource: Resource): Loose {
    const key = `${resource.type} ${resource.id}`
    const known = made.get(key)
    if (known) return known
    const { may = {}, denied = {} } = resource.meta ?? {}
    const row: Loose = { ...resource.attributes, type: resource.type, id: idOf(resource), may, denied }
    made.set(key, row)
    for (const [name, { data }] of Object.entries(resource.relationships ?? {})) {
      if (data !== undefined)
        row[name] = Array.isArray(data) ? data.flatMap(find) : ((data && find(data)[0]) ?? null)
    }
    return row
  }
  const find = (identifier: Identifier): Loose[] => {
    const resource = byKey.get(`${identifier.type} ${identifier.id}`)
    return resource ? [read(resource)] : []
  }
  return read
}

export function toRow<T extends TypeName, R extends RelationshipName<T>>(document: Document): Row<T, R> {
  const { data } = document
  if (Array.isArray(data)) throw new Error('Expected one resource, found a list.')
  // The server renders this shape from the contract.
  return reader(document)(data) as unknown as Row<T, R>
}

export function toRows<T extends TypeName, R extends RelationshipName<T>>(document: Document): Rows<T, R> {
  const read = reader(document)
  const items = [document.data].flat().map(read)
  const { page, may = { create: false }, denied = {} } = document.meta ?? {}
  return {
    // The server renders this shape from the contract.
    items: items as unknown as Row<T, R>[],
    page: page ?? { number: 1, size: items.length, total: items.length, pages: 1 },
    may,
    denied,
  }
}

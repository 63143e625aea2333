import type { Attributes, Registry, RelationshipName, TypeName } from '@portico/contract/index.ts'
import { base } from '@portico/contract/wire.ts'
import { queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { ActionOf, Input, On, Output, Telling } from './actions.ts'
import { http } from './http.ts'
import { type Document, type Id, type Row, type Rows, toRow, toRows } from './rows.ts'

type FilterOf<T extends TypeName> = Registry[T]['filters']
type Sort<T extends TypeName> = Registry[T]['sorts'][number]
type Fields = { readonly [T in TypeName]?: readonly ((keyof Attributes<T> & string) | RelationshipName<T>)[] }

export type Including<T extends TypeName, R extends RelationshipName<T>> = {
  readonly include?: readonly R[]
  readonly fields?: Fields
}

export type Listing<T extends TypeName, R extends RelationshipName<T>> = Including<T, R> & {
  readonly filter?: { readonly [F in keyof FilterOf<T>]?: z.output<FilterOf<T>[F]> | undefined }
  readonly sort?: Sort<T> | `-${Sort<T>}` | readonly (Sort<T> | `-${Sort<T>}`)[]
  readonly page?: { readonly number?: number; readonly size?: number }
}

type Wide = {
  include?: readonly string[]
  fields?: Readonly<Record<string, readonly string[] | undefined>>
  filter?: Readonly<Record<string, unknown>>
  sort?: string | readonly string[]
  page?: { number?: number; size?: number }
}

function parameters({ include, fields = {}, filter = {}, sort, page = {} }: Wide): string {
  const families = { fields, filter, page }
  const bracketed = Object.entries(families).flatMap(([family, members]) =>
    Object.entries(members).flatMap(([name, value]: [string, unknown]) =>
      value === undefined ? [] : [`${family}[${name}]=${encodeURIComponent(String(value))}`],
    ),
  )
  const lists = Object.entries({ include, sort }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${[value].flat().join(',')}`],
  )
  const all = [...lists, ...bracketed].join('&')
  return all && `?${all}`
}

/** The path of a call to the data API. */
const pathOf = (type: string, wide: Wide, id?: number | string) =>
  `${base}/${type}${id === undefined ? '' : `/${id}`}${parameters(wide)}`

/** A list of resources, as options for `useQuery`. A filter, include, sort or field that the type lacks does not compile. */
export function list<T extends TypeName, const R extends RelationshipName<T> = never>(
  type: T,
  listing: Listing<T, R> = {},
) {
  // `Wide` is the same options without their literal names; TypeScript cannot relate the mapped types while T
  // is open.
  const path = pathOf(type, listing as Wide)
  return queryOptions({
    queryKey: [type, 'list', path],
    // The server's response has the shape of the contract, which its tests check.
    queryFn: async ({ signal }): Promise<Rows<T, R>> =>
      toRows<T, R>((await http(path, { signal })) as Document),
    meta: { type },
  })
}

const largestPage = 100

/** So many rows of a whole list are rendered at once; with hundreds a phone would stand still. */
export const atOnce = 24

/**
 * Every row of a list, for menus and choices, which have no pages. The first page says how many more there
 * are, and those are then requested in parallel; most lists have one page.
 */
export function wholeList<T extends TypeName, const R extends RelationshipName<T> = never>(
  type: T,
  listing: Omit<Listing<T, R>, 'page'> = {},
) {
  const pathTo = (number: number) => {
    // TypeScript cannot relate the mapped types while T is open.
    const wide = listing as Wide
    return pathOf(type, { ...wide, page: { number, size: largestPage } })
  }
  const path = pathTo(1)
  return queryOptions({
    queryKey: [type, 'whole list', path],
    queryFn: async ({ signal }): Promise<Rows<T, R>> => {
      const read = async (number: number) =>
        // The server's response has the shape of the contract.
        toRows<T, R>((await http(pathTo(number), { signal })) as Document)
      const first = await read(1)
      const numbers = Array.from({ length: Math.max(0, first.page.pages - 1) }, (_, at) => at + 2)
      const rest = await Promise.all(numbers.map(read))
      return { ...first, items: [first, ...rest].flatMap(({ items }) => items) }
    },
    meta: { path, type },
  })
}

/** One resource, as options for `useQuery`. */
export function one<T extends TypeName, const R extends RelationshipName<T> = never>(
  type: T,
  id: Id<T>,
  including: Including<T, R> = {},
) {
  const path = pathOf(type, including as Wide, id)
  return queryOptions({
    queryKey: [type, id, path],
    queryFn: async ({ signal }): Promise<Row<T, R>> =>
      toRow<T, R>((await http(path, { signal })) as Document),
    meta: { type },
  })
}

/**
 * The result of a reading action (GET), as options for `useQuery`. Actions that change state use `useAction`
 * in `write.ts`.
 */
export function action<T extends TypeName, X extends Telling<T>>(
  type: T,
  name: X,
  given: On<ActionOf<T, X>> & { readonly payload: Input<ActionOf<T, X>> },
) {
  const at = 'id' in given ? `/${String(given.id)}` : ''
  const path = `${base}/${type}${at}/-actions/${name}?payload=${encodeURIComponent(JSON.stringify(given.payload))}`
  return queryOptions({
    queryKey: [type, name, path],
    // A query is kept here and refetched when it may have changed; the browser's cache would repeat the old answer.
    queryFn: async ({ signal }) =>
      (await http(path, { signal, cache: 'no-cache' })) as Output<ActionOf<T, X>>,
  })
}

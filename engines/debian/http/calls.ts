import { refusal } from '../refusal.ts'

export type Asked = {
  readonly method: string
  /** Path and query, as in the request line. */
  readonly target: string
  readonly headers: Record<string, string | undefined>
  readonly body: string
}
export type Answer = { readonly status: number; readonly body?: unknown }
export type Fields = Readonly<Record<string, unknown>>
/** The path segments, query and body of a call. */
export type Call = {
  readonly parts: readonly string[]
  readonly query: URLSearchParams
  readonly body: Fields
}

export const panelIn = ({ parts: [id = ''] }: Call): string => id

/** Reads a body. Throws `malformed`. */
export function parsed(body: string): Fields {
  let value: unknown
  try {
    value = body === '' ? {} : JSON.parse(body)
  } catch {
    throw refusal(400, 'malformed', 'This cannot be read.')
  }
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** A page of what is sorted by its key, after the key of the cursor. */
export function pageOf<T>(
  all: readonly T[],
  keyOf: (item: T) => string,
  query: URLSearchParams,
  size: number,
) {
  const after = query.get('cursor') ?? ''
  const left = all.filter((item) => keyOf(item) > after)
  const items = left.slice(0, size)
  const last = items.at(-1)
  return { items, next: left.length > size && last !== undefined ? keyOf(last) : null }
}

/** The author of a change, from the body, or from the query of a call without one. */
export function actorOf({ body, query }: Call): Fields {
  const { actor } = body
  if (typeof actor === 'object' && actor !== null) return { ...actor }
  const kind = query.get('kind')
  return kind === null ? { subject: null, kind: 'system' } : { subject: query.get('actor') || null, kind }
}

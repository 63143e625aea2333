import type { Fields } from './offers.ts'
import { type Panel, shown } from './panel.ts'
import { refusal } from './refusal.ts'

export type Asked = {
  readonly method: string
  /** Path and query, as in the request line. */
  readonly target: string
  readonly headers: Record<string, string | undefined>
  readonly body: string
}
export type Answer = { readonly status: number; readonly body?: unknown }
/** The path segments, query and body of a call. */
export type Call = { readonly parts: string[]; readonly query: URLSearchParams; readonly body: Fields }

export const pageSize = 2

export const answered = (panel: Panel, status = 200): Answer => ({ status, body: shown(panel) })

export const callOf = (id: string): Call => ({ parts: [id], query: new URLSearchParams(), body: {} })

/** Reads the position of a page from its cursor. */
export function placeIn(query: URLSearchParams): number {
  const from = Number(query.get('cursor') ?? 0)
  if (!Number.isSafeInteger(from) || from < 0) throw refusal(400, 'bad_cursor', 'No page begins there.')
  return from
}

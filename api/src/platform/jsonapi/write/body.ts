import { refuse } from '#platform/errors/problem.ts'

// Nothing that is sent here nests deeper than a permission object; what does is meant to exhaust a parser.
const deepest = 32

export type Json = null | boolean | number | string | Json[] | { readonly [key: string]: Json }
export type JsonRecord = { readonly [key: string]: Json }

export function isRecord(value: Json | undefined): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Where a value stands in the document; written out as a pointer only when there is something to say of it. */
type Place = { readonly above: Place; readonly key: string } | undefined

/** A step of a JSON pointer (RFC 6901). */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1').toWellFormed()
}

function pointerTo(place: Place): string {
  return place === undefined ? '' : `${pointerTo(place.above)}/${escapePointer(place.key)}`
}

function assertText(text: string, place: Place): void {
  if (text.includes('\0')) throw refuse('text_null', {}, { source: { pointer: pointerTo(place) } })
  if (!text.isWellFormed()) throw refuse('text_surrogate', {}, { source: { pointer: pointerTo(place) } })
}

/** Refuses what no field could hold: text PostgreSQL cannot store, and depth, which also bounds the recursion. */
function assertStorable(value: Json, place: Place, depth: number): void {
  if (typeof value === 'string') assertText(value, place)
  if (typeof value !== 'object' || value === null) return
  if (depth >= deepest) throw refuse('body_too_deep', { most: deepest })
  for (const [key, inner] of Object.entries(value)) {
    assertText(key, place)
    // A body may hold half a million numbers; nothing is to be said of them, so no place is made for each.
    if (typeof inner === 'string' || (typeof inner === 'object' && inner !== null))
      assertStorable(inner, { above: place, key }, depth + 1)
  }
}

/**
 * Parses JSON that a client sent. 400 `malformed_json` when it is not JSON, 400 `body_too_deep`, 422 `text_null` and
 * `text_surrogate` for text that cannot be stored.
 */
export function parseJson(text: string): Json {
  let parsed: Json
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw refuse('malformed_json', {}, { cause: error })
  }
  assertStorable(parsed, undefined, 0)
  return parsed
}

import { refuse } from '#platform/errors/problem.ts'

// No document of ours nests deeper than a permission object; a deeper one is meant to exhaust the parser.
const deepest = 32

export type Json = null | boolean | number | string | Json[] | { readonly [key: string]: Json }
export type JsonRecord = { readonly [key: string]: Json }

export function isRecord(value: Json | undefined): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The place of a value in the document; rendered as a pointer only for an error. */
type Place = { readonly above: Place; readonly key: string } | undefined

/** Escapes a step of a JSON pointer (RFC 6901). */
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

/** Refuses text that PostgreSQL cannot store, and excessive depth, which also bounds the recursion. */
function assertStorable(value: Json, place: Place, depth: number): void {
  if (typeof value === 'string') assertText(value, place)
  if (typeof value !== 'object' || value === null) return
  if (depth >= deepest) throw refuse('body_too_deep', { most: deepest })
  for (const [key, inner] of Object.entries(value)) {
    assertText(key, place)
    // A body may hold half a million numbers, which need no check, so no place is allocated for them.
    if (typeof inner === 'string' || (typeof inner === 'object' && inner !== null))
      assertStorable(inner, { above: place, key }, depth + 1)
  }
}

/**
 * Parses JSON from a client. Throws 400 `malformed_json`, 400 `body_too_deep`, and 422 `text_null` or
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

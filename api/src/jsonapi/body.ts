import { Problem } from '../errors/problem.ts'

// Nothing that is sent here nests deeper than a permission object; what does is meant to exhaust a parser.
const deepest = 32

export type Json = null | boolean | number | string | Json[] | { readonly [key: string]: Json }
export type JsonRecord = { readonly [key: string]: Json }

export function isRecord(value: Json | undefined): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unfit(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a null character'
  return text.isWellFormed() ? undefined : 'contains half a surrogate pair'
}

function assertText(text: string, pointer: string): void {
  const fault = unfit(text)
  if (fault)
    throw new Problem('validation', `The text ${fault}, which cannot be stored.`, { source: { pointer } })
}

/** A step of a JSON pointer (RFC 6901). */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1').toWellFormed()
}

/** Refuses what no field could hold: text PostgreSQL cannot store, and depth. Walks without recursion. */
function assertStorable(root: Json): void {
  const open: [value: Json, pointer: string, depth: number][] = [[root, '', 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, pointer, depth] = next
    if (typeof value === 'string') assertText(value, pointer)
    if (typeof value !== 'object' || value === null) continue
    if (depth >= deepest)
      throw new Problem('bad_request', `The document nests deeper than ${deepest} levels.`)
    for (const [key, inner] of Object.entries(value)) {
      assertText(key, pointer)
      open.push([inner, `${pointer}/${escapePointer(key)}`, depth + 1])
    }
  }
}

/**
 * Parses a request body. 400 `malformed_json` when it is not JSON, 400 `bad_request` when it is too deep, 422
 * `validation` when a text in it cannot be stored.
 */
export function parseJson(text: string): Json {
  let parsed: Json
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    const detail = error instanceof Error ? error.message.slice(0, 200).toWellFormed() : 'not JSON'
    throw new Problem('malformed_json', `The body is not JSON: ${detail}`)
  }
  assertStorable(parsed)
  return parsed
}

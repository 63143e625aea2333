import { mediaType } from '@portico/contract/wire.ts'
import { refuse } from '#platform/errors/problem.ts'

type MediaRange = { readonly type: string; readonly parameters: ReadonlyMap<string, string> }

// Matches one media range with its parameters; quoted strings may hold commas and semicolons.
const range = /(?:[^,"]|"(?:[^"\\]|\\.)*")+/g
const parameter = /;\s*([^=;\s]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s]*))?/g

// Longer than any client needs; parsing unterminated quotes takes quadratic time.
const longestHeader = 1000

function typeOf(text: string): string {
  return (text.split(';', 1)[0] ?? '').trim().toLowerCase()
}

function parseRange(text: string): MediaRange {
  const parameters = new Map<string, string>()
  for (const [, name = '', value = ''] of text.matchAll(parameter)) {
    parameters.set(name.toLowerCase(), value.replace(/^"(.*)"$/, '$1'))
  }
  return { type: typeOf(text), parameters }
}

/**
 * The first unsupported parameter of a media range. JSON:API allows `ext` and `profile`: no extension is
 * supported, so `ext` must be empty; profiles are ignored.
 */
function unsupported({ parameters }: MediaRange): string | undefined {
  for (const [name, value] of parameters) {
    if (name === 'profile' || name === 'q') continue
    if (name === 'ext' && value === '') continue
    return name === 'ext' ? `ext="${value}"` : `${name}=`
  }
  return undefined
}

const atAccept = { source: { header: 'accept' } } as const

/**
 * The quality of a media type, from 0 to 1, by the most specific range that matches it (RFC 9110, 12.5.1).
 */
function wanted(type: string, ranges: readonly MediaRange[]): number {
  for (const name of [type, `${type.split('/', 1)[0]}/*`, '*/*']) {
    const found = ranges.filter((one) => one.type === name)
    if (found.length > 0) return Math.max(...found.map(({ parameters }) => Number(parameters.get('q') ?? 1)))
  }
  return 0
}

/** JSON:API documents are also offered as plain JSON for simple clients; actions answer plain JSON. */
const served = [mediaType, 'application/json']

/**
 * Throws 406 `not_acceptable` when the client accepts nothing that is served, and when it accepts JSON:API
 * only with an extension or a foreign parameter (JSON:API 1.1, "Server Responsibilities").
 */
export function assertAcceptable(accept: string | undefined, more: readonly string[] = []): void {
  if (accept === undefined || accept === mediaType || accept === '*/*') return
  if (accept.length > longestHeader) throw refuse('accept_too_long', { most: longestHeader }, atAccept)
  const ranges = (accept.match(range) ?? []).map(parseRange)
  const refused = ranges.filter(({ type }) => type === mediaType).map(unsupported)
  if (refused.length > 0 && !refused.includes(undefined))
    throw refuse('accept_unsupported', { found: refused[0] ?? '' }, atAccept)
  if (accept.trim() === '' || [...served, ...more].some((type) => wanted(type, ranges) > 0)) return
  throw refuse('not_acceptable', { offered: [mediaType, ...more].join(', ') }, atAccept)
}

/** The reason why a media type is not JSON:API's own. */
function foreign(contentType: string | undefined): string | undefined {
  if (!contentType) return '""'
  if (contentType.length > longestHeader) return `${contentType.slice(0, 40)}…`
  const given = parseRange(contentType)
  if (given.type !== mediaType) return given.type
  return given.parameters.has('q') ? 'q=' : unsupported(given)
}

/** Throws 415 `media_type_expected` unless the body is JSON:API without foreign parameters and extensions. */
export function assertDocument(contentType: string | undefined): void {
  if (contentType === mediaType) return
  const found = foreign(contentType)
  if (found === undefined) return
  throw refuse('media_type_expected', { expected: mediaType, found }, { source: { header: 'content-type' } })
}

/** Throws 415 `media_type_expected` unless the body of an action is JSON:API or plain JSON. */
export function assertActionBody(contentType: string | undefined): void {
  if (typeOf(contentType ?? '') !== 'application/json') assertDocument(contentType)
}

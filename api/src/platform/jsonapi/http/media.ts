import { mediaType } from '@portico/contract/wire.ts'
import { refuse } from '#platform/errors/problem.ts'

type MediaRange = { readonly type: string; readonly parameters: ReadonlyMap<string, string> }

// One media range with its parameters; quoted strings may hold commas and semicolons.
const range = /(?:[^,"]|"(?:[^"\\]|\\.)*")+/g
const parameter = /;\s*([^=;\s]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s]*))?/g

// No client needs more; reading quotes that never end costs the square of their number.
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

/** JSON:API allows `ext` and `profile`. No extension is supported here, so `ext` may only be empty; profiles are ignored. */
function unsupported({ parameters }: MediaRange): string | undefined {
  for (const [name, value] of parameters) {
    if (name === 'profile' || name === 'q') continue
    if (name === 'ext' && value === '') continue
    return name === 'ext' ? `ext="${value}"` : `${name}=`
  }
  return undefined
}

const atAccept = { source: { header: 'accept' } } as const

/** How much a media type is wanted, from 0 to 1: the most specific range that covers it decides (RFC 9110, 12.5.1). */
function wanted(type: string, ranges: readonly MediaRange[]): number {
  for (const name of [type, `${type.split('/', 1)[0]}/*`, '*/*']) {
    const found = ranges.filter((one) => one.type === name)
    if (found.length > 0) return Math.max(...found.map(({ parameters }) => Number(parameters.get('q') ?? 1)))
  }
  return 0
}

/** JSON:API documents are JSON too, which is all that simple clients ask for; the answers of actions are plain JSON. */
const served = [mediaType, 'application/json']

/**
 * Answers 406 `not_acceptable` when nothing that is served is accepted, and when JSON:API is asked for only in forms that are
 * not served (JSON:API 1.1, "Server Responsibilities"): each instance of its media type has an extension or a foreign parameter.
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

/** What makes a media type other than JSON:API's own. */
function foreign(contentType: string | undefined): string | undefined {
  if (!contentType) return '""'
  if (contentType.length > longestHeader) return `${contentType.slice(0, 40)}…`
  const given = parseRange(contentType)
  if (given.type !== mediaType) return given.type
  return given.parameters.has('q') ? 'q=' : unsupported(given)
}

/** Answers 415 `media_type_expected` unless the body is JSON:API, without foreign parameters and extensions. */
export function assertDocument(contentType: string | undefined): void {
  if (contentType === mediaType) return
  const found = foreign(contentType)
  if (found === undefined) return
  throw refuse('media_type_expected', { expected: mediaType, found }, { source: { header: 'content-type' } })
}

/** The same for actions, whose bodies may also be plain JSON. */
export function assertActionBody(contentType: string | undefined): void {
  if (typeOf(contentType ?? '') !== 'application/json') assertDocument(contentType)
}

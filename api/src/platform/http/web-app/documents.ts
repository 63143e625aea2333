import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { matchesTag } from '#platform/http/etag.ts'
import { languageOf } from '#platform/http/language.ts'

// At most quality the documents of a changed brand would hold up requests for a second.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const encodings = [
  { name: 'br', extension: '.br', pack: (plain: Buffer) => brotliCompressSync(plain, quality) },
  { name: 'gzip', extension: '.gz', pack: (plain: Buffer) => gzipSync(plain) },
] as const

/** One document in one language with everything needed to send it. */
type Document = {
  readonly bodies: ReadonlyMap<string, Buffer>
  /** Weak, because one tag covers every encoding. */
  readonly tag: string
}

/** Documents by path (`*` for every other) and language. */
export type Pages = ReadonlyMap<string, ReadonlyMap<string, Document>>

const pagesFile = z.record(z.string(), z.record(z.string(), z.string()))
const policyFile = z.object({ scripts: z.array(z.string().regex(/^sha(?:256|384|512)-[A-Za-z0-9+/]+=*$/)) })

function readJson<T>(file: string, schema: z.ZodType<T>): T | undefined {
  return fs.existsSync(file) ? schema.parse(JSON.parse(fs.readFileSync(file, 'utf8'))) : undefined
}

/** The hashes of the inline scripts, as the build of the browser app lists them. */
export function scriptHashes(webDist: string | null): readonly string[] {
  if (webDist === null) return []
  return readJson(path.join(webDist, 'csp.json'), policyFile)?.scripts ?? []
}

/** A document as it was built, with its compressed copies. */
type Source = { readonly plain: Buffer; readonly packed: ReadonlyMap<string, Buffer> }

type Sources = ReadonlyMap<string, ReadonlyMap<string, Source>>

function readSource(file: string): Source {
  const packed = encodings
    .filter(({ extension }) => fs.existsSync(file + extension))
    .map(({ name, extension }) => [name, fs.readFileSync(file + extension)] as const)
  return { plain: fs.readFileSync(file), packed: new Map(packed) }
}

/** Each value of each language, as another one. */
const mapped = <A, B>(
  pages: ReadonlyMap<string, ReadonlyMap<string, A>>,
  change: (one: A) => B,
): ReadonlyMap<string, ReadonlyMap<string, B>> =>
  new Map(
    [...pages].map(([at, languages]) => [
      at,
      new Map([...languages].map(([language, one]) => [language, change(one)])),
    ]),
  )

/** Reads all documents of the browser app into memory; they are few, small, and change only with a release. */
export function readSources(webDist: string | null): Sources {
  const listed = webDist === null ? undefined : readJson(path.join(webDist, 'pages.json'), pagesFile)
  if (webDist === null || listed === undefined) return new Map()
  const files = Object.entries(listed).map(
    ([at, languages]) => [at, new Map(Object.entries(languages))] as const,
  )
  return mapped(new Map(files), (file) => readSource(path.join(webDist, file)))
}

function documentOf({ plain: built, packed }: Source, dress?: (html: string) => string): Document {
  const plain = dress ? Buffer.from(dress(built.toString())) : built
  const repacked = dress && new Map(encodings.map(({ name, pack }) => [name, pack(plain)]))
  const bodies = new Map<string, Buffer>([['identity', plain], ...(repacked ?? packed)])
  // By content: two builds can have documents of the same size and, in an image, of the same date.
  return { bodies, tag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"` }
}

/** The documents to send; `dress` transforms each one. */
export const dressPages = (sources: Sources, dress?: (html: string) => string): Pages =>
  mapped(sources, (source) => documentOf(source, dress))

function choose(pages: Pages, request: FastifyRequest): Document | undefined {
  const at = (request.url.split('?', 1)[0] ?? '/').replace(/(?<=.)\/$/, '')
  const languages = pages.get(at) ?? pages.get('*')
  if (languages === undefined) return undefined
  return languages.get(languageOf(request)) ?? languages.get('en')
}

/**
 * Sends the document of an address in the reader's language; false when the browser app has not been built.
 */
export function sendDocument(pages: Pages, request: FastifyRequest, reply: FastifyReply): boolean {
  const document = choose(pages, request)
  if (document === undefined) return false
  reply.headers({
    'cache-control': 'no-cache',
    etag: document.tag,
    vary: 'accept-encoding, accept-language, cookie',
  })
  if (matchesTag(request.headers['if-none-match'], document.tag)) {
    reply.code(304).send()
    return true
  }
  const offered = [...document.bodies.keys()].filter((name) => name !== 'identity')
  const encoding = negotiate(request.headers['accept-encoding'] ?? '', offered) ?? 'identity'
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  reply.code(200).type('text/html; charset=utf-8').send(document.bodies.get(encoding))
  return true
}

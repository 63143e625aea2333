import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { matchesTag } from '#platform/http/etag.ts'
import { languageOf } from '#platform/http/language.ts'

const encodings = [
  { name: 'br', extension: '.br', pack: brotliCompressSync },
  { name: 'gzip', extension: '.gz', pack: gzipSync },
] as const

/** One document in one language with everything needed to send it. */
type Document = {
  readonly bodies: ReadonlyMap<string, Buffer>
  /** Weak, because one tag covers every encoding. */
  readonly tag: string
}

/** Documents by path (`*` for every other) and language. */
type Pages = ReadonlyMap<string, ReadonlyMap<string, Document>>

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

function readDocument(file: string, dress?: (html: string) => string): Document {
  const read = fs.readFileSync(file)
  const plain = dress ? Buffer.from(dress(read.toString())) : read
  const bodies = new Map([['identity', plain]])
  for (const { name, extension, pack } of encodings) {
    if (dress) bodies.set(name, pack(plain))
    else if (fs.existsSync(file + extension)) bodies.set(name, fs.readFileSync(file + extension))
  }
  // By content: two builds can have documents of the same size and, in an image, of the same date.
  return { bodies, tag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"` }
}

/**
 * Reads all documents of the browser app into memory; they are few, small, and change only with a release.
 * `dress` transforms each document.
 */
export function readPages(webDist: string | null, dress?: (html: string) => string): Pages {
  const listed = webDist === null ? undefined : readJson(path.join(webDist, 'pages.json'), pagesFile)
  if (webDist === null || listed === undefined) return new Map()
  return new Map(
    Object.entries(listed).map(([at, languages]) => [
      at,
      new Map(
        Object.entries(languages).map(([name, file]) => [
          name,
          readDocument(path.join(webDist, file), dress),
        ]),
      ),
    ]),
  )
}

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

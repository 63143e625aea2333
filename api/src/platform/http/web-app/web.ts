import fs from 'node:fs'
import path from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Env } from '#config/env.ts'
import { type Brand, plainBrand } from '#platform/brand/brand.ts'
import { routeNotFound, sendFailure } from '#platform/http/errors.ts'
import { documentHeaders } from '#platform/http/headers.ts'
import { assertLocalName } from '#platform/http/local-name.ts'
import { deskFolder, deskPages, isDesk, onDeskNetworks } from './desk.ts'
import { scriptHashes, sendDocument } from './documents.ts'
import { dressedPages } from './dressed-pages.ts'
import { withMark } from './page-marks.ts'
import { mayLoadTagManager, serveTagManager, withTagManager } from './tag-manager.ts'

// Parts of the build that no browser requests by their own names.
const notFiles = ['**/pages.json', 'csp.json', '**/*.html', '**/*.br', '**/*.gz', '**/*.map', '**/.vite/**']

/** One year: file names under assets/ hold the hash of their content. */
const forever = 'public, max-age=31536000, immutable'
const briefly = 'public, max-age=3600'

type Folder = { readonly root: string; readonly prefix: string; readonly ignored: readonly string[] }

async function serveFolder(app: FastifyInstance, { root, prefix, ignored }: Folder): Promise<void> {
  if (!fs.existsSync(root)) return
  const assets = path.join(root, 'assets') + path.sep
  await app.register(files, {
    root,
    prefix,
    wildcard: false,
    index: false,
    preCompressed: true,
    dotfiles: 'ignore',
    globIgnore: [...ignored],
    cacheControl: false,
    decorateReply: false,
    setHeaders: (reply, file) => {
      reply.header('cache-control', file.startsWith(assets) ? forever : briefly)
      reply.header('vary', 'accept-encoding')
    },
  })
}

/**
 * Serves the files of the browser app and of the desk. Each file has its own route, so that unlisted files cannot be
 * reached.
 */
export async function webFiles(
  app: FastifyInstance,
  webDist: string | null,
  { deskNetworks }: Pick<Env, 'deskNetworks'>,
): Promise<void> {
  if (webDist === null) return
  await serveFolder(app, { root: webDist, prefix: '/', ignored: [...notFiles, `${deskFolder}/**`] })
  await app.register(async (scope) => {
    scope.addHook('onRequest', onDeskNetworks(deskNetworks))
    const root = path.join(webDist, deskFolder)
    await serveFolder(scope, { root, prefix: `/${deskFolder}/`, ignored: notFiles })
  })
}

const machines = /^\/(?:api|auth|engine|mail|sandbox|webhooks)(?:\/|$)/
// The letters of a demo; other installations have no such page.
const outbox = /^\/outbox(?:\/|$)/
// Ends in an extension, or has a part that begins with a dot; no address of the browser app does.
const fileLike = /^\/assets\/|\.[a-z\d]{1,8}$|\/\./i

function asksForPage({ method, headers }: FastifyRequest, at: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const accepts = /text\/html|\*\/\*/.test(headers.accept ?? '*/*')
  return accepts && !machines.test(at) && !fileLike.test(at)
}

/** How documents look beside what is built: those of a copy say so. */
type Look = { readonly isCopy?: boolean | undefined; readonly brand?: () => Brand }

/**
 * Answers every address without a route: with the document of the browser app, which knows its own addresses,
 * or with 404. An address that looks like a file or belongs to the API never gets a document.
 */
export function fallback(
  app: FastifyInstance,
  webDist: string | null,
  env: Pick<Env, 'publicUrl' | 'countryLookupUrl' | 'stripe' | 'tagManagerId' | 'seed' | 'deskNetworks'>,
  { isCopy = false, brand = () => plainBrand }: Look,
): void {
  const { publicUrl, countryLookupUrl, tagManagerId, seed } = env
  const mark = isCopy ? (html: string) => withMark(html, 'copy') : undefined
  const withTagsToo = (html: string) => withTagManager(mark?.(html) ?? html)
  const hashes = scriptHashes(webDist)
  const dressed = (tags: boolean) => {
    const headersOf = (stripe: boolean) => documentHeaders(publicUrl, hashes, countryLookupUrl, stripe, tags)
    const [without, withStripe] = [headersOf(false), headersOf(true)]
    return {
      pages: dressedPages(webDist, brand, { dress: tags ? withTagsToo : mark, withNews: true }),
      // Read at each request, because keys may be entered while the portal runs.
      get headers() {
        return env.stripe === undefined ? without : withStripe
      },
    }
  }
  const plain = dressed(false)
  const withTags = tagManagerId === undefined ? plain : dressed(true)
  const desk = deskPages(webDist, env, brand, mark)
  const isHidden = (request: FastifyRequest, at: string): boolean => {
    if (outbox.test(at)) return seed !== 'demo'
    return isDesk(at) && !desk.isOpenTo(request.ip)
  }
  const partOf = (at: string) => {
    if (isDesk(at)) return desk
    return mayLoadTagManager(at) ? withTags : plain
  }
  if (tagManagerId !== undefined) serveTagManager(app, tagManagerId)
  app.setNotFoundHandler((request, reply) => {
    const at = request.url.split('?', 1)[0] ?? '/'
    if (outbox.test(at) && seed === 'demo') assertLocalName(request)
    if (asksForPage(request, at) && !isHidden(request, at)) {
      const { pages, headers } = partOf(at)
      if (sendDocument(pages(), request, reply.headers(headers))) return
      reply.code(404).type('text/plain; charset=utf-8').send('The browser app has not been built.\n')
      return
    }
    sendFailure(routeNotFound(request), request, reply)
  })
}

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Described } from './data-api.ts'
import { openApi } from './document.ts'
import { docsPage } from './page.ts'
import { style } from './style.ts'

/** The content security policy of the page: its own style, and no script. */
const policy =
  "default-src 'none'; style-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

type Texts = { readonly document: string; readonly page: string }

/** Serves the API as a document and as a page, without sign-in. Built on the first request, then cached. */
export function apiDocs(app: FastifyInstance, types: readonly Described[]): void {
  let made: Texts | undefined
  const texts = (): Texts => {
    if (made) return made
    const document = openApi(types)
    made = { document: JSON.stringify(document), page: docsPage(document) }
    return made
  }
  const send = (reply: FastifyReply, type: string, text: string) =>
    reply.header('cache-control', 'public, max-age=300').type(`${type}; charset=utf-8`).send(text)
  app.get('/api/openapi.json', (_request, reply) =>
    // Programs of any origin may read it: the document is public.
    send(reply.header('cross-origin-resource-policy', 'cross-origin'), 'application/json', texts().document),
  )
  app.get('/api/docs', (_request, reply) =>
    send(reply.header('content-security-policy', policy), 'text/html', texts().page),
  )
  app.get('/api/docs.css', (_request, reply) => send(reply, 'text/css', style))
}

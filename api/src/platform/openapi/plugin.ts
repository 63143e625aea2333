import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Described } from './data-api.ts'
import { openApi } from './document.ts'
import { docsPage } from './page.ts'
import { style } from './style.ts'

/** What the page may load: its own style, and no script at all. */
const policy =
  "default-src 'none'; style-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

type Texts = { readonly document: string; readonly page: string }

/** The API as a document and as a page, both for anybody. Made when somebody asks for the first time, and then kept. */
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
    // Programs of any origin may read it: there is nothing in it that not everybody gets.
    send(reply.header('cross-origin-resource-policy', 'cross-origin'), 'application/json', texts().document),
  )
  app.get('/api/docs', (_request, reply) =>
    send(reply.header('content-security-policy', policy), 'text/html', texts().page),
  )
  app.get('/api/docs.css', (_request, reply) => send(reply, 'text/css', style))
}

import type { FastifyInstance } from 'fastify'

/** Where the browser finds what starts the tag manager; there is such a file only where one is set up. */
const starter = '/tag-manager.js'

const host = 'https://www.googletagmanager.com'

/** What the policy of a document has to let through for it, by directive. */
export const tagManagerSources = {
  script: [host],
  image: [host, 'https://*.google-analytics.com'],
  connect: [host, 'https://*.google-analytics.com', 'https://*.analytics.google.com'],
} as const

/** A document that loads it: after everything that the page itself needs. */
export const withTagManager = (html: string): string =>
  html.replace('</head>', `<script defer src="${starter}"></script></head>`)

// Their addresses hold what is for one person alone, and a tag manager tells addresses to others.
const secret = /^\/(?:invitation|verify-email|callback|google|reset-password|email-change)(?:\/|$)/

/** Whether the page at a path may be told to a tag manager. */
export const mayBeTold = (at: string): boolean => !secret.test(at)

/** A container begins by an event, a measurement by naming what is measured; neither is told the query of an address. */
function beginning(id: string): string {
  if (id.startsWith('GTM-')) return `dataLayer.push({'gtm.start':Date.now(),event:'gtm.js'})`
  return `function gtag(){dataLayer.push(arguments)}
gtag('js',new Date())
gtag('config','${id}',{page_location:location.origin+location.pathname})`
}

const script = (id: string): string => `window.dataLayer=window.dataLayer||[]
${beginning(id)}
addEventListener('load',function(){
var s=document.createElement('script')
s.async=true
s.src='${host}/${id.startsWith('GTM-') ? 'gtm.js' : 'gtag/js'}?id=${id}'
document.head.append(s)
})
`

/** Serves what starts the tag manager of an id, which was checked when the configuration was read. */
export function serveTagManager(app: FastifyInstance, id: string): void {
  const body = script(id)
  app.get(starter, (_request, reply) => {
    reply
      .headers({ 'cache-control': 'public, max-age=3600', 'content-type': 'text/javascript; charset=utf-8' })
      .send(body)
  })
}

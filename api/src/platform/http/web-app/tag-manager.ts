import type { FastifyInstance } from 'fastify'

/** The address of the script that starts the tag manager; it exists only where one is configured. */
const starter = '/tag-manager.js'

const host = 'https://www.googletagmanager.com'

/** The sources that the content security policy must allow for the tag manager, by directive. */
export const tagManagerSources = {
  script: [host],
  image: [host, 'https://*.google-analytics.com'],
  connect: [host, 'https://*.google-analytics.com', 'https://*.analytics.google.com'],
} as const

/** Adds the tag manager to a document, after everything that the page itself needs. */
export const withTagManager = (html: string): string =>
  html.replace('</head>', `<script defer src="${starter}"></script></head>`)

// Addresses of these pages hold personal secrets, and a tag manager sends addresses to third parties.
const secret =
  /^\/(?:invitation|verify-email|unsubscribe|callback|google|reset-password|email-change)(?:\/|$)/

/** Whether the page at a path may load a tag manager. */
export const mayLoadTagManager = (at: string): boolean => !secret.test(at)

/**
 * The start script of a container (GTM-) or of a measurement id; neither receives the query of an address.
 */
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

/** Serves the start script for a tag manager id, which was validated with the configuration. */
export function serveTagManager(app: FastifyInstance, id: string): void {
  const body = script(id)
  app.get(starter, (_request, reply) => {
    reply
      .headers({ 'cache-control': 'public, max-age=3600', 'content-type': 'text/javascript; charset=utf-8' })
      .send(body)
  })
}

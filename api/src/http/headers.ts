import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

// A year, as ASVS asks.
const hstsSeconds = 31_536_000

/**
 * Headers of every answer, made once. They fit the API, which is the hot path and the strictest: never kept, never shown as
 * a page, never embedded. Documents and files replace what they must.
 */
export function baseHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(publicUrl.startsWith('https:') && {
      'strict-transport-security': `max-age=${hstsSeconds}; includeSubDomains`,
    }),
  }
}

/** Devices that no screen of the portal uses, so that no script in it can. */
export const permissionsPolicy = [
  'accelerometer',
  'autoplay',
  'bluetooth',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

/** What a document may load and do. Scripts are our files and the inline ones whose hashes the build lists. */
export function documentPolicy(publicUrl: string, scriptHashes: readonly string[]): FastifyHelmetOptions {
  const https = publicUrl.startsWith('https:')
  return {
    global: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scriptHashes.map((hash) => `'${hash}'`)],
        scriptSrcAttr: ["'none'"],
        // The component library sets style attributes and adds a style element for its variables while it runs.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        ...(https && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: https && { maxAge: hstsSeconds, includeSubDomains: true },
    // Addresses may hold codes of a sign-in, which are nobody else's to know.
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    // Old browsers only, and known to open holes there.
    xXssProtection: false,
    crossOriginEmbedderPolicy: false,
  }
}

/** Gives every answer its headers and its request id, and replies the means to dress a document. */
export async function securityHeaders(
  app: FastifyInstance,
  publicUrl: string,
  scriptHashes: readonly string[],
) {
  const base = baseHeaders(publicUrl)
  await app.register(helmet, documentPolicy(publicUrl, scriptHashes))
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(base).header('x-request-id', request.id)
    done()
  })
}

import type { FastifyInstance } from 'fastify'
import { tagManagerSources } from '#platform/http/web-app/tag-manager.ts'

type Headers = Readonly<Record<string, string>>

// A year, as ASVS asks.
const hsts = 'max-age=31536000; includeSubDomains'

/**
 * Headers of every answer, made once. They fit the API, which is the hot path and the strictest: never kept, never shown as
 * a page, never embedded. Documents and files replace what they must.
 */
export function baseHeaders(publicUrl: string): Headers {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    'cross-origin-resource-policy': 'same-origin',
    // Addresses may hold codes of a sign-in, which are nobody else's to know.
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': hsts }),
  }
}

/** Devices that no screen of the portal uses, so that no script in it can. */
const unusedFeatures = [
  'accelerometer',
  'autoplay',
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

/** What a document may load and do. Scripts are our files and the inline ones whose hashes the build lists. */
export function documentHeaders(
  publicUrl: string,
  scriptHashes: readonly string[],
  countryLookupUrl: string | null,
  stripe: boolean,
  tagManager = false,
): Headers {
  // Card forms are the provider's: its script and its frames, and nothing of ours sees a number.
  const provider = (...origins: string[]) => (stripe ? origins : [])
  const tags = (kind: keyof typeof tagManagerSources) => (tagManager ? tagManagerSources[kind] : [])
  const policy = [
    "default-src 'self'",
    [
      "script-src 'self'",
      ...scriptHashes.map((hash) => `'${hash}'`),
      ...provider('https://js.stripe.com', 'https://*.js.stripe.com'),
      ...tags('script'),
    ].join(' '),
    ...(stripe ? ['frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com'] : []),
    "script-src-attr 'none'",
    // The component library sets style attributes, and adds a style element for its variables while it runs.
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data:", ...tags('image')].join(' '),
    [
      "connect-src 'self'",
      ...(countryLookupUrl === null ? [] : [new URL(countryLookupUrl).origin]),
      ...provider('https://api.stripe.com'),
      ...tags('connect'),
    ].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    ...(publicUrl.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
    // For browsers that do not know frame-ancestors.
    'x-frame-options': 'DENY',
    'origin-agent-cluster': '?1',
  }
}

/** Gives every answer the headers and its request id. */
export function dressAnswers(app: FastifyInstance, headers: Headers): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    done()
  })
}

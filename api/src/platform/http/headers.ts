import type { FastifyInstance } from 'fastify'
import type { Env } from '#config/env.ts'
import { tagManagerSources } from '#platform/http/web-app/tag-manager.ts'

type Headers = Readonly<Record<string, string>>

// One year, as ASVS requires.
const hsts = 'max-age=31536000'

/**
 * Headers of every response, built once. They fit the API, the hot path and the strictest case: no caching,
 * no rendering as a page, no embedding. Documents and files replace the headers that differ.
 */
export function baseHeaders({
  publicUrl,
  hstsSubdomains,
}: Pick<Env, 'publicUrl' | 'hstsSubdomains'>): Headers {
  const transport = hstsSubdomains ? `${hsts}; includeSubDomains` : hsts
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    'cross-origin-resource-policy': 'same-origin',
    // Addresses may hold sign-in codes, which must not leak to other sites.
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': transport }),
  }
}

/** Device features that no screen uses are disabled, so that no injected script can use them. */
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

/**
 * The content security policy of documents. Allowed scripts are our files and the inline ones whose hashes
 * the build lists.
 */
export function documentHeaders(
  publicUrl: string,
  scriptHashes: readonly string[],
  countryLookupUrl: string | null,
  stripe: boolean,
  tagManager = false,
): Headers {
  // The payment provider's script and frames serve the card forms, so card numbers never reach our code.
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
    // The component library sets style attributes, and adds a style element for its variables at run time.
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

/** Adds the headers and the request id to every response. */
export function dressAnswers(app: FastifyInstance, headers: Headers): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    done()
  })
}

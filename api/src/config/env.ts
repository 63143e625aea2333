import path from 'node:path'
import type { SettingKey } from '@portico/contract/resources/operator-settings.ts'
import { checks } from './env-checks.ts'
import { countryLookupOf, databaseOf, exchangeRatesOf, googleOf, networksOf } from './env-parts.ts'
import { type Read, reader } from './env-reader.ts'
import { isProduction, productionSigns } from './production-signs.ts'
import { withSecretFiles } from './secret-files.ts'
import { type Stored, withStored } from './stored-settings.ts'

/** An expected reason not to start, for the operator: one clear sentence and no stack. */
export class CannotStart extends Error {
  override readonly name: string = 'CannotStart'
}

/** The configuration of one process, validated and complete. */
export type Env = {
  port: number
  host: string
  /** The portal's address for browsers: scheme, host and port, without a trailing slash. */
  publicUrl: string
  /** Absolute. */
  dataDir: string
  /** Undefined: the embedded PostgreSQL is used. */
  databaseUrl: string | undefined
  /** Undefined: `databaseUrl` leads to the database itself and not to a pooler. */
  databaseDirectUrl: string | undefined
  /** Undefined: there is no replica to read from. */
  databaseReadUrl: string | undefined
  /** The standbys that the database should have. */
  standbys: number
  seed: 'demo' | 'none'
  /** Whether this process runs background jobs; some process on the database must. */
  workers: boolean
  /** Whether the built-in engine may create panels. */
  simulatedEngine: boolean
  rateLimitScale: number
  /** A factor on the usage of the simulated engine. */
  simSpeed: number
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  trustedProxies: string[]
  /** Undefined: staff work from everywhere. */
  deskNetworks: string[] | undefined
  /** Whether https is required for subdomains too. */
  hstsSubdomains: boolean
  /** False: the portal is a copy, which people read and which does nothing by itself. */
  act: boolean
  poolSize: number
  /** How long usage events stay in the database; one may come 35 days late. */
  usageKeptDays: number
  /** Networks whose direct connections read the metrics without a token. */
  metricsNetworks: string[]
  /** Undefined: nobody reads the metrics by a token. */
  metricsToken: string | undefined
  /** Undefined: no traces are recorded. */
  traces: { endpoint: string; headers: Record<string, string>; service: string; share: number } | undefined
  /** Whether `traceparent` of a trusted proxy says which traces are recorded. */
  proxyDecidesTraces: boolean
  /** Undefined: a key is generated once and stored (see `platform/token-secret.ts`). */
  tokenSecret: string | undefined
  /** Undefined: letters are stored in the database and not sent. */
  smtpUrl: string | undefined
  /** Without a name the portal's own one is used. */
  mailFrom: { name: string; address: string }
  googleIssuer: string
  /** Undefined, or without the secret: sign-in with Google is disabled. */
  googleClientId: string | undefined
  googleClientSecret: string | undefined
  /** Null: the country of an address is not looked up. */
  countryLookupUrl: string | null
  /** A mirror of the official rates; undefined: the banks, null: none. */
  exchangeRatesUrl: string | null | undefined
  /** Undefined: no page loads a tag manager. */
  tagManagerId: string | undefined
  /** Host names, addresses and networks of engines outside the public internet. */
  engineAllowedHosts: string[]
  /** Undefined: files are stored in DATA_DIR. */
  s3:
    | { endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string }
    | undefined
  /** Undefined: replies to letters are not read. */
  replyAddress: string | undefined
  mailInboundSecret: string | undefined
  mailAuthserv: string | undefined
  /** Undefined: no mailbox is read. */
  imapUrl: string | undefined
  /** Undefined: the sandbox handles cards, and no money moves, or nothing does. */
  stripe:
    | { secretKey: string; publishableKey: string; webhookSecrets: string[]; apiBase: string | undefined }
    | undefined
  /** Another server with Stripe’s API; undefined: Stripe. */
  stripeApiBase: string | undefined
  /** Whether test cards are taken while there is no payment provider. */
  sandbox: boolean
  /** The settings whose values were entered at the desk, because no variable sets them. */
  fromDesk: readonly SettingKey[]
  /** Undefined: no document is sent to the tax office. */
  efactura:
    | { environment: 'test' | 'prod'; clientId: string; clientSecret: string; baseUrl: string | undefined }
    | undefined
  /** Undefined: files are not scanned for malware. */
  clamd: { host: string; port: number } | { path: string } | undefined
}

type Source = Record<string, string | undefined>

/** Demo data belongs on one machine. Settings of a real portal turn the default off and rule the demo out. */
function seedOf(read: Read, wrong: string[], source: Source, databaseUrl: string | undefined): Env['seed'] {
  const signs = productionSigns(source)
  const seed = read('SEED', checks.SEED, databaseUrl === undefined && signs.length === 0 ? 'demo' : 'none')
  if (seed === 'demo' && signs.length > 0)
    wrong.push(
      `SEED: found "demo" together with ${signs.join(', ')}, which only a real portal sets; the passwords of a demo are public, so remove SEED or the other variables.`,
    )
  return seed
}

/** The work of this process besides requests. The embedded database has one process, so it must run the jobs. */
function roleOf(read: Read, wrong: string[], source: Source, databaseUrl?: string) {
  const workers = read('WORKERS', checks.WORKERS, '1') === '1'
  if (!workers && databaseUrl === undefined)
    wrong.push('WORKERS: found "0" without DATABASE_URL, so no process would run the jobs.')
  const byDefault = productionSigns(source).length === 0 ? '1' : '0'
  return { workers, simulatedEngine: read('SIMULATED_ENGINE', checks.SIMULATED_ENGINE, byDefault) === '1' }
}

/** The file storage, when all its variables are set; an incomplete set is an error. */
function bucketOf(read: Read, wrong: string[]): Env['s3'] {
  const endpoint = read('S3_ENDPOINT', checks.S3_ENDPOINT, undefined)
  const bucket = read('S3_BUCKET', checks.S3_BUCKET, undefined)
  const region = read('S3_REGION', checks.S3_REGION, 'us-east-1')
  const accessKeyId = read('S3_ACCESS_KEY_ID', checks.S3_ACCESS_KEY_ID, undefined)
  const secretAccessKey = read('S3_SECRET_ACCESS_KEY', checks.S3_SECRET_ACCESS_KEY, undefined)
  if (endpoint && bucket && accessKeyId && secretAccessKey)
    return { endpoint, bucket, region, accessKeyId, secretAccessKey }
  if (endpoint || bucket || accessKeyId || secretAccessKey)
    wrong.push('S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are needed together.')
  return undefined
}

/**
 * The payment provider, when all its variables are set. The sandbox takes no money, so production has to
 * request it explicitly; else no card is taken until keys are entered.
 */
function stripeOf(read: Read, wrong: string[]): Pick<Env, 'stripe' | 'stripeApiBase' | 'sandbox'> {
  const secretKey = read('STRIPE_SECRET_KEY', checks.STRIPE_SECRET_KEY, undefined)
  const publishableKey = read('STRIPE_PUBLISHABLE_KEY', checks.STRIPE_PUBLISHABLE_KEY, undefined)
  const webhookSecrets = read('STRIPE_WEBHOOK_SECRET', checks.STRIPE_WEBHOOK_SECRET, undefined)
  const apiBase = read('STRIPE_API_BASE', checks.STRIPE_API_BASE, undefined)
  const sandboxAllowed = read('ALLOW_SANDBOX_PAYMENTS', checks.ALLOW_SANDBOX_PAYMENTS, '0') === '1'
  const sandbox = sandboxAllowed || !isProduction(read('NODE_ENV', checks.NODE_ENV, ''))
  const more = { stripeApiBase: apiBase, sandbox }
  if (secretKey && publishableKey && webhookSecrets)
    return { stripe: { secretKey, publishableKey, webhookSecrets, apiBase }, ...more }
  if (secretKey || publishableKey || webhookSecrets)
    wrong.push('STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET are needed together.')
  return { stripe: undefined, ...more }
}

/** The tax office for electronic invoices, when all its variables are set. */
function efacturaOf(read: Read, wrong: string[]): Env['efactura'] {
  const environment = read('EFACTURA_ENV', checks.EFACTURA_ENV, undefined)
  const clientId = read('EFACTURA_CLIENT_ID', checks.EFACTURA_CLIENT_ID, undefined)
  const clientSecret = read('EFACTURA_CLIENT_SECRET', checks.EFACTURA_CLIENT_SECRET, undefined)
  const baseUrl = read('EFACTURA_BASE_URL', checks.EFACTURA_BASE_URL, undefined)?.replace(/\/$/, '')
  if (environment && clientId && clientSecret) return { environment, clientId, clientSecret, baseUrl }
  if (environment || clientId || clientSecret || baseUrl)
    wrong.push('EFACTURA_ENV, EFACTURA_CLIENT_ID and EFACTURA_CLIENT_SECRET are needed together.')
  return undefined
}

/** How much of something there is. */
const amountsOf = (read: Read) => ({
  rateLimitScale: read('RATE_LIMIT_SCALE', checks.RATE_LIMIT_SCALE, 1),
  simSpeed: read('SIM_SPEED', checks.SIM_SPEED, 1),
  poolSize: read('POOL_SIZE', checks.POOL_SIZE, 10),
  usageKeptDays: read('USAGE_KEPT_DAYS', checks.USAGE_KEPT_DAYS, 100),
})

/** Where traces go. */
function tracesOf(read: Read): Env['traces'] {
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT', checks.OTEL_EXPORTER_OTLP_ENDPOINT, undefined)
  const headers = read('OTEL_EXPORTER_OTLP_HEADERS', checks.OTEL_EXPORTER_OTLP_HEADERS, {})
  const service = read('OTEL_SERVICE_NAME', checks.OTEL_SERVICE_NAME, 'portico')
  const share = read('OTEL_TRACES_SAMPLER_ARG', checks.OTEL_TRACES_SAMPLER_ARG, 1)
  return endpoint === undefined
    ? undefined
    : { endpoint: endpoint.replace(/\/$/, ''), headers, service, share }
}

/** The reply address, and the source of inbound mail. */
function mailInOf(read: Read, wrong: string[], seed: Env['seed']) {
  const ofDemo = seed === 'demo' ? 'reply@support.demo.test' : undefined
  const replyAddress = read('REPLY_ADDRESS', checks.REPLY_ADDRESS, ofDemo)
  const imapUrl = read('IMAP_URL', checks.IMAP_URL, undefined)
  if (imapUrl !== undefined && replyAddress === undefined)
    wrong.push('IMAP_URL must be set together with REPLY_ADDRESS.')
  return {
    replyAddress,
    imapUrl,
    mailInboundSecret: read('MAIL_INBOUND_SECRET', checks.MAIL_INBOUND_SECRET, undefined),
    mailAuthserv: read('MAIL_AUTHSERV_ID', checks.MAIL_AUTHSERV_ID, undefined),
  }
}

/** The services that the portal uses. */
const servicesOf = (read: Read, wrong: string[]) => ({
  ...googleOf(read),
  s3: bucketOf(read, wrong),
  ...stripeOf(read, wrong),
  efactura: efacturaOf(read, wrong),
  clamd: read('CLAMD_ADDRESS', checks.CLAMD_ADDRESS, undefined),
})

/**
 * Reads the configuration, with what was entered at the desk. Throws one `CannotStart` with a line for each invalid variable.
 */
export function readEnv(given: Source, stored: Stored = {}): Env {
  const wrong: string[] = []
  const ofServer = withSecretFiles(given, wrong)
  const source = { ...ofServer }
  const fromDesk = withStored(source, stored)
  const read = reader(source, wrong)
  const { databaseUrl, ...otherUrls } = databaseOf(read, wrong)
  // Settings of the desk never turn demo mode on or off.
  const seed = seedOf(read, wrong, ofServer, databaseUrl)
  const port = read('PORT', checks.PORT, 3000)
  const publicUrl = read('PUBLIC_URL', checks.PUBLIC_URL, `http://localhost:${port}`)
  const noReply = `no-reply@${new URL(publicUrl).hostname}`
  const env: Env = {
    port,
    // A demo's passwords are public, so by default only this machine can reach it.
    host: read('HOST', checks.HOST, seed === 'demo' ? '127.0.0.1' : '0.0.0.0'),
    publicUrl,
    dataDir: read('DATA_DIR', checks.DATA_DIR, path.resolve('data')),
    databaseUrl,
    ...otherUrls,
    seed,
    ...roleOf(read, wrong, ofServer, databaseUrl),
    ...amountsOf(read),
    logLevel: read('LOG_LEVEL', checks.LOG_LEVEL, 'info'),
    act: read('ACT', checks.ACT, '1') === '1',
    ...networksOf(read),
    traces: tracesOf(read),
    proxyDecidesTraces:
      read('OTEL_TRACES_SAMPLER', checks.OTEL_TRACES_SAMPLER, 'traceidratio') === 'parentbased_traceidratio',
    tokenSecret: read('TOKEN_SECRET', checks.TOKEN_SECRET, undefined),
    smtpUrl: read('SMTP_URL', checks.SMTP_URL, undefined),
    mailFrom: read('MAIL_FROM', checks.MAIL_FROM, { name: '', address: noReply }),
    countryLookupUrl: countryLookupOf(read),
    exchangeRatesUrl: exchangeRatesOf(read),
    tagManagerId: read('TAG_MANAGER_ID', checks.TAG_MANAGER_ID, undefined),
    engineAllowedHosts: read('ENGINE_ALLOWED_HOSTS', checks.ENGINE_ALLOWED_HOSTS, []),
    ...servicesOf(read, wrong),
    fromDesk,
    ...mailInOf(read, wrong, seed),
  }
  if (wrong.length > 0) throw new CannotStart(`The configuration is invalid.\n  ${wrong.join('\n  ')}`)
  return env
}

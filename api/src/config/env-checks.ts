import path from 'node:path'
import * as z from 'zod/mini'
import {
  factor,
  headerList,
  hostName,
  isBaseUrl,
  isImapUrl,
  isOneDatabase,
  isOrigin,
  isPostgresUrl,
  isSmtpUrl,
  isTrustworthy,
  list,
  listener,
  mailbox,
  share,
  wholeNumber,
} from './env-values.ts'

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** In characters; a key of 256 bits has 43 in base64url, 64 in hexadecimal. */
export const shortestKey = 32

const isKeyList = (text: string) => text.split(',').every((key) => key.trim().length >= shortestKey)

const networks = list(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))

/** The validation of each variable. */
export const checks = {
  PORT: wholeNumber(1, 65_535),
  HOST: z.string().check(z.regex(/^[\w.:-]+$/)),
  PUBLIC_URL: z.pipe(
    z.string().check(z.refine(isOrigin)),
    z.transform((text: string) => new URL(text).origin),
  ),
  DATA_DIR: z.pipe(
    z.string(),
    z.transform((text: string) => path.resolve(text)),
  ),
  DATABASE_URL: z.string().check(z.refine(isPostgresUrl)),
  DATABASE_POOLER: z.enum(['transaction']),
  DATABASE_DIRECT_URL: z.string().check(z.refine(isPostgresUrl)),
  DATABASE_READ_URL: z.string().check(z.refine(isOneDatabase)),
  DATABASE_STANDBYS: wholeNumber(0, 9),
  SEED: z.enum(['demo', 'none']),
  WORKERS: z.enum(['0', '1']),
  SIMULATED_ENGINE: z.enum(['0', '1']),
  RATE_LIMIT_SCALE: factor,
  SIM_SPEED: factor,
  LOG_LEVEL: z.enum(logLevels),
  TRUSTED_PROXIES: networks,
  DESK_NETWORKS: networks,
  HSTS_SUBDOMAINS: z.enum(['0', '1']),
  ACT: z.enum(['0', '1']),
  USAGE_KEPT_DAYS: wholeNumber(36, 400),
  POOL_SIZE: wholeNumber(1, 100),
  METRICS_NETWORKS: networks,
  METRICS_TOKEN: z.string().check(z.regex(/^[\x21-\x7e]{32,200}$/)),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().check(z.refine(isBaseUrl)),
  OTEL_EXPORTER_OTLP_HEADERS: headerList,
  OTEL_SERVICE_NAME: z.string().check(z.regex(/^[\x21-\x7e]{1,100}$/)),
  OTEL_TRACES_SAMPLER: z.enum(['traceidratio', 'parentbased_traceidratio']),
  OTEL_TRACES_SAMPLER_ARG: share,
  TOKEN_SECRET: z.string().check(z.refine(isKeyList)),
  SMTP_URL: z.string().check(z.refine(isSmtpUrl)),
  MAIL_FROM: mailbox,
  GOOGLE_ISSUER: z.string().check(z.refine(isTrustworthy)),
  GOOGLE_CLIENT_ID: z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/)),
  GOOGLE_CLIENT_SECRET: z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/)),
  COUNTRY_LOOKUP_URL: z.union([z.literal('none'), z.string().check(z.refine(isTrustworthy))]),
  EXCHANGE_RATES_URL: z.union([z.literal('none'), z.string().check(z.refine(isTrustworthy))]),
  TAG_MANAGER_ID: z.string().check(z.regex(/^(?:GTM|G)-[A-Z\d]{1,20}$/)),
  ENGINE_ALLOWED_HOSTS: list(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), hostName])),
  S3_ENDPOINT: z.string().check(z.refine(isOrigin)),
  S3_BUCKET: z.string().check(z.regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/)),
  S3_REGION: z.string().check(z.regex(/^[\w-]{1,40}$/)),
  S3_ACCESS_KEY_ID: z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/)),
  S3_SECRET_ACCESS_KEY: z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/)),
  CLAMD_ADDRESS: listener,
  STRIPE_SECRET_KEY: z.string().check(z.regex(/^(sk|rk)_[\w]{8,250}$/)),
  STRIPE_PUBLISHABLE_KEY: z.string().check(z.regex(/^pk_[\w]{8,250}$/)),
  STRIPE_WEBHOOK_SECRET: list(z.string().check(z.regex(/^whsec_[\w+/=]{8,250}$/))),
  STRIPE_API_BASE: z.string().check(z.refine(isTrustworthy)),
  EFACTURA_ENV: z.enum(['test', 'prod']),
  EFACTURA_CLIENT_ID: z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/)),
  EFACTURA_CLIENT_SECRET: z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/)),
  EFACTURA_BASE_URL: z.string().check(z.refine(isTrustworthy)),
  ALLOW_SANDBOX_PAYMENTS: z.enum(['0', '1']),
  NODE_ENV: z.string().check(z.regex(/^\w{1,40}$/)),
  REPLY_ADDRESS: z.string().check(z.regex(/^[a-z\d.-]{1,10}@[a-z\d.-]{1,200}$/i)),
  MAIL_INBOUND_SECRET: z.string().check(z.regex(/^whsec_[A-Za-z\d+/]{32,}={0,2}$/)),
  MAIL_AUTHSERV_ID: hostName,
  IMAP_URL: z.string().check(z.refine(isImapUrl)),
}

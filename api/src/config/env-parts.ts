import { parseDatabaseUrl } from './database-url.ts'
import { checks } from './env-checks.ts'
import type { Read } from './env-reader.ts'
import { googleIssuer } from './production-signs.ts'

/** The addresses of the database: without and behind a pooler. */
export function databaseOf(read: Read, wrong: string[]) {
  const databaseUrl = read('DATABASE_URL', checks.DATABASE_URL, undefined)
  const databaseDirectUrl = read('DATABASE_DIRECT_URL', checks.DATABASE_DIRECT_URL, undefined)
  const pooler = read('DATABASE_POOLER', checks.DATABASE_POOLER, undefined)
  const given = [pooler, databaseDirectUrl].filter((one) => one !== undefined)
  if (given.length === 1 || (given.length > 0 && databaseUrl === undefined))
    wrong.push('DATABASE_POOLER and DATABASE_DIRECT_URL are needed together, and with DATABASE_URL.')
  const databaseReadUrl = read('DATABASE_READ_URL', checks.DATABASE_READ_URL, undefined)
  if (databaseReadUrl !== undefined && databaseUrl === undefined)
    wrong.push('DATABASE_READ_URL is only for a database of DATABASE_URL.')
  const hosts = parseDatabaseUrl(databaseDirectUrl ?? databaseUrl ?? '')?.urls.length ?? 1
  const standbys = read('DATABASE_STANDBYS', checks.DATABASE_STANDBYS, hosts - 1)
  return { databaseUrl, databaseDirectUrl, databaseReadUrl, standbys }
}

/** Which connections are trusted, and with what. */
export const networksOf = (read: Read) => ({
  trustedProxies: read('TRUSTED_PROXIES', checks.TRUSTED_PROXIES, []),
  deskNetworks: read('DESK_NETWORKS', checks.DESK_NETWORKS, undefined),
  hstsSubdomains: read('HSTS_SUBDOMAINS', checks.HSTS_SUBDOMAINS, '1') === '1',
  metricsNetworks: read('METRICS_NETWORKS', checks.METRICS_NETWORKS, []),
  metricsToken: read('METRICS_TOKEN', checks.METRICS_TOKEN, undefined),
})

/** The identity provider for sign-in with Google. */
export const googleOf = (read: Read) => ({
  googleIssuer: read('GOOGLE_ISSUER', checks.GOOGLE_ISSUER, googleIssuer),
  googleClientId: read('GOOGLE_CLIENT_ID', checks.GOOGLE_CLIENT_ID, undefined),
  googleClientSecret: read('GOOGLE_CLIENT_SECRET', checks.GOOGLE_CLIENT_SECRET, undefined),
})

/** The service for the country of an address, or none. */
export function countryLookupOf(read: Read): string | null {
  const url = read('COUNTRY_LOOKUP_URL', checks.COUNTRY_LOOKUP_URL, 'https://ip2c.org/self')
  return url === 'none' ? null : url
}

/** The source of exchange rates. */
export function exchangeRatesOf(read: Read): string | null | undefined {
  const url = read('EXCHANGE_RATES_URL', checks.EXCHANGE_RATES_URL, undefined)
  return url === 'none' ? null : url?.replace(/\/$/, '')
}

import { type checks, logLevels, shortestKey } from './env-checks.ts'
import { serviceVariables, type Variable } from './service-variables.ts'

/** Every variable that the server reads, for `--help` and docs/configuration.md. */
export const variables: Record<keyof typeof checks, Variable> = {
  PORT: {
    default: '3000',
    meaning: 'The port that serves everything.',
    expected: 'a whole number from 1 to 65535',
  },
  HOST: {
    default: '127.0.0.1 for a demo (SEED=demo), else 0.0.0.0',
    meaning: 'The address to listen on.',
    expected: 'an IP address or a host name',
  },
  PUBLIC_URL: {
    default: 'http://localhost:PORT',
    meaning: 'The address of the portal for browsers; used in links, cookies and redirects.',
    expected: 'an http or https address without a path, such as https://portal.example.com',
  },
  DATA_DIR: {
    default: './data',
    meaning: 'The folder of the embedded database and of all other stored data.',
    expected: 'a folder',
  },
  DATABASE_URL: {
    default: 'none: the embedded PostgreSQL is used',
    meaning: 'A PostgreSQL 15 or newer to use instead of the embedded one.',
    expected:
      'an address such as postgres://user:password@host:5432/portico; several hosts are separated by commas, with ?target_session_attrs=read-write at the end',
    secret: true,
  },
  DATABASE_POOLER: {
    default: 'none: DATABASE_URL is the address of the database itself',
    meaning:
      'Says that DATABASE_URL is the address of a pooler such as PgBouncer that hands each transaction to another session.',
    expected: 'transaction, together with DATABASE_DIRECT_URL',
  },
  DATABASE_DIRECT_URL: {
    default: 'none',
    meaning: 'The address of the database without the pooler, for migrations, jobs and commands.',
    expected: 'an address as in DATABASE_URL, together with DATABASE_POOLER',
    secret: true,
  },
  DATABASE_READ_URL: {
    default: 'none: everything is read from DATABASE_URL',
    meaning:
      'A replica of DATABASE_URL that answers exports, journals and metrics while it is current; otherwise the primary does.',
    expected: 'an address as in DATABASE_URL with one host',
    secret: true,
  },
  DATABASE_STANDBYS: {
    default: 'one less than the hosts of the address of the database',
    meaning:
      'The number of standbys that receive every change of the database. When there are fewer, the checks warn and an alert is raised.',
    expected: 'a whole number from 0 to 9',
  },
  SEED: {
    default:
      'demo with the embedded database on this machine alone; none with DATABASE_URL and in production',
    meaning:
      'The content of a new database; without demo there are no accounts. demo is refused together with any setting that only a real portal has.',
    expected: 'demo or none',
  },
  WORKERS: {
    default: '1',
    meaning:
      'Whether this process runs background jobs. With 0 it only answers requests; another process on the same database must run them.',
    expected: '0 or 1',
  },
  SIMULATED_ENGINE: {
    default: '1 as long as no setting is one that only a real portal has, else 0',
    meaning:
      'Whether the built-in engine is offered, which simulates panels. With 0 it is disabled at the start, unless it has panels.',
    expected: '0 or 1',
  },
  RATE_LIMIT_SCALE: {
    default: '1',
    meaning: 'Multiplies the general rate limits, never those on sign-in.',
    expected: 'a number above 0, such as 2 or 0.5',
  },
  SIM_SPEED: {
    default: '1',
    meaning:
      'Multiplies the usage of the panels of the built-in engine from now on, so that balances change visibly; dates are not affected.',
    expected: 'a number above 0, such as 2 or 0.5',
  },
  LOG_LEVEL: {
    default: 'info',
    meaning: 'The minimum severity of log lines.',
    expected: logLevels.join(', '),
  },
  TRUSTED_PROXIES: {
    default: 'none',
    meaning: 'The proxies whose X-Forwarded-* headers are trusted.',
    expected: 'IP addresses or networks, separated by commas, such as 10.0.0.0/8,::1',
  },
  DESK_NETWORKS: {
    default: 'none set: from everywhere',
    meaning:
      'The networks that staff work from. From other networks the pages under /desk do not exist and sessions of staff are not accepted.',
    expected: 'IP addresses or networks, separated by commas, such as 192.0.2.0/24,2001:db8::/48',
  },
  HSTS_SUBDOMAINS: {
    default: '1',
    meaning:
      'Whether browsers that opened the portal by https also require it for the subdomains of its host. With 0 only for the host.',
    expected: '0 or 1',
  },
  ACT: {
    default: '1',
    meaning:
      'With 0 the portal is a copy: people sign in and read, and it charges, sends and removes nothing. Set it for a database that was restored to a point in time.',
    expected: '0 or 1',
  },
  USAGE_KEPT_DAYS: {
    default: '100',
    meaning:
      'The number of days for which usage events stay in the database. Then each day becomes a Parquet file in the file storage.',
    expected: 'a whole number from 36 to 400',
  },
  POOL_SIZE: {
    default: '10',
    meaning: 'The maximum number of database connections per process.',
    expected: 'a whole number from 1 to 100',
  },
  METRICS_NETWORKS: {
    default: 'none: /metrics is only read with METRICS_TOKEN',
    meaning:
      'The networks whose direct connections may read /metrics without a token, never through a proxy.',
    expected: 'IP addresses or networks, separated by commas, such as 10.0.9.0/24',
  },
  METRICS_TOKEN: {
    default: 'none: /metrics is only read from METRICS_NETWORKS',
    meaning: 'The bearer token with which /metrics may be read from everywhere, for Prometheus.',
    expected: '32 to 200 characters without spaces',
    secret: true,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    default: 'none: no traces are recorded',
    meaning:
      'An OpenTelemetry collector that gets the traces of requests, jobs and SQL statements by OTLP over HTTP, as JSON.',
    expected: 'an http or https address such as http://collector:4318; /v1/traces is appended',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    default: 'none',
    meaning: 'Headers of the requests to the collector, such as a token.',
    expected: 'name=value, separated by commas, with percent escapes',
    secret: true,
  },
  OTEL_SERVICE_NAME: {
    default: 'portico',
    meaning: 'The name of this portal in traces.',
    expected: 'up to 100 characters without spaces',
  },
  OTEL_TRACES_SAMPLER: {
    default: 'traceidratio',
    meaning:
      'Whether this portal decides which traces are recorded (traceidratio), or the proxies of TRUSTED_PROXIES by their traceparent (parentbased_traceidratio).',
    expected: 'traceidratio or parentbased_traceidratio',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    default: '1: all of them',
    meaning: 'The share of the traces that begin here and are recorded.',
    expected: 'a number from 0 to 1',
  },
  TOKEN_SECRET: {
    default: 'generated once and stored: in DATA_DIR, or in the database of DATABASE_URL',
    meaning:
      'The key that signs access tokens; the same for all replicas. Of several the first signs and all are accepted, which allows a rotation.',
    expected: `at least ${shortestKey} characters, or several such keys separated by commas`,
    secret: true,
  },
  SMTP_URL: {
    default: 'none: letters wait in the database until a mail server is set here or at the desk',
    meaning: 'The mail server that sends letters.',
    expected: 'an address such as smtps://user:password@mail.example.com:465, or smtp:// for STARTTLS',
    secret: true,
  },
  MAIL_FROM: {
    default: 'the name of the portal, no-reply at the host of PUBLIC_URL',
    meaning: 'The sender of letters.',
    expected: 'a name and an address, such as `Portico <no-reply@example.com>`',
  },
  GOOGLE_ISSUER: {
    default: 'https://accounts.google.com',
    meaning: 'The identity provider for sign-in with Google; another one only for testing.',
    expected: 'an https address, or an http one of this machine',
  },
  GOOGLE_CLIENT_ID: {
    default: 'none: signing in with Google is not offered',
    meaning:
      'The id of the OAuth client made for the portal at Google, with PUBLIC_URL/google/callback as redirect URI.',
    expected: 'up to 200 characters without spaces',
  },
  GOOGLE_CLIENT_SECRET: {
    default: 'none: signing in with Google is not offered',
    meaning: 'The secret of that client.',
    expected: 'up to 200 characters without spaces',
    secret: true,
  },
  COUNTRY_LOOKUP_URL: {
    default: 'https://ip2c.org/self',
    meaning:
      'A public service that returns the country of a browser’s address, used to prefill the phone prefix on registration; it sees that address.',
    expected: 'an https address that answers such as "1;US;USA;United States", or none',
  },
  EXCHANGE_RATES_URL: {
    default: 'none set: https://curs.bnr.ro, or https://www.ecb.europa.eu/stats/eurofxref',
    meaning:
      'A mirror of the exchange rates, nbrfxrates10days.xml of BNR and eurofxref-hist-90d.xml of the ECB.',
    expected: 'an https address of a folder, or none to fetch no rates',
  },
  TAG_MANAGER_ID: {
    default: 'none: no tag manager is loaded or allowed',
    meaning: 'The Google tag manager that pages load last; never pages with a personal address.',
    expected: 'GTM- or G- followed by uppercase letters or digits',
  },
  ENGINE_ALLOWED_HOSTS: {
    default: 'none: engines need public addresses and https',
    meaning:
      'Hosts in a private network: engines, also by http, and mail servers that are entered at the desk, are allowed there although they are not public.',
    expected: 'host names, IP addresses or networks, separated by commas, such as engine.internal,10.0.0.0/8',
  },
  ...serviceVariables,
  ALLOW_SANDBOX_PAYMENTS: {
    default: '0',
    meaning: 'With 1 the sandbox may replace a payment provider although NODE_ENV is production.',
    expected: '0 or 1',
  },
  NODE_ENV: {
    default: 'none',
    meaning:
      'With production the portal is never a demo, and the sandbox for payments is closed unless it is allowed.',
    expected: 'a word',
  },
}

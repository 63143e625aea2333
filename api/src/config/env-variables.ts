import { type checks, logLevels, shortestKey } from './env-checks.ts'

type Variable = {
  /** The default in words, because some depend on other variables. */
  default: string
  meaning: string
  expected: string
  /** The value never appears in a message or a log, and may be in the file that NAME_FILE names. */
  secret?: true
}

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
  ACT: {
    default: '1',
    meaning:
      'With 0 the portal is a copy: people sign in and read, and it charges, sends and removes nothing. Set it for a database that was restored to a point in time.',
    expected: '0 or 1',
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
  TOKEN_SECRET: {
    default: 'generated once and stored: in DATA_DIR, or in the database of DATABASE_URL',
    meaning:
      'The key that signs access tokens; the same for all replicas. Of several the first signs and all are accepted, which allows a rotation.',
    expected: `at least ${shortestKey} characters, or several such keys separated by commas`,
    secret: true,
  },
  SMTP_URL: {
    default: 'none: letters are stored in the database, and no mail is sent',
    meaning: 'The mail server that sends letters.',
    expected: 'an address such as smtps://user:password@mail.example.com:465, or smtp:// for STARTTLS',
    secret: true,
  },
  MAIL_FROM: {
    default: 'Portico, no-reply at the host of PUBLIC_URL',
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
      'Engines in a private network: hosts that are allowed although they are not public, also by http.',
    expected: 'host names, IP addresses or networks, separated by commas, such as engine.internal,10.0.0.0/8',
  },
  S3_ENDPOINT: {
    default: 'none: files are stored in DATA_DIR',
    meaning:
      'An S3-compatible host that stores files in the private bucket S3_BUCKET; requires the other S3 variables.',
    expected: 'an address without a path, such as https://s3.eu-central-1.amazonaws.com',
  },
  S3_BUCKET: {
    default: 'none',
    meaning: 'The bucket of the files.',
    expected: 'the name of a bucket',
  },
  S3_REGION: {
    default: 'us-east-1',
    meaning: 'The region for signing requests.',
    expected: 'the name of a region, such as eu-central-1',
  },
  S3_ACCESS_KEY_ID: {
    default: 'none',
    meaning: 'The id of the access key.',
    expected: 'up to 200 characters without spaces',
  },
  S3_SECRET_ACCESS_KEY: {
    default: 'none',
    meaning: 'The secret of that access key.',
    expected: 'up to 200 characters without spaces',
    secret: true,
  },
  REPLY_ADDRESS: {
    default: 'none: replies to letters are not read; a demo reads those of its outbox page',
    meaning:
      'The reply address of letters about tickets. Each recipient gets a personal address with a suffix after a plus, which the mail server must deliver too.',
    expected: 'an address of up to ten letters before the @, such as reply@support.example.com',
  },
  MAIL_INBOUND_SECRET: {
    default: 'none: no mail is accepted',
    meaning: 'The Standard Webhooks secret of the mail server for requests to PUBLIC_URL/mail/v1/inbound.',
    expected: 'a secret such as whsec_ and 32 or more characters of base64',
    secret: true,
  },
  MAIL_AUTHSERV_ID: {
    default: 'none: no sender of mail is trusted',
    meaning: 'The name of the mail server in its Authentication-Results (RFC 8601).',
    expected: 'a host name, such as mx.example.com',
  },
  IMAP_URL: {
    default: 'none: no mailbox is read',
    meaning:
      'A mailbox folder that receives replies, when the mail server cannot submit them by HTTP. It is read every minute; nothing else may mark its mail as read.',
    expected:
      'an address such as imaps://user:password@mail.example.com:993/INBOX, or imap:// for STARTTLS, together with REPLY_ADDRESS',
    secret: true,
  },
  CLAMD_ADDRESS: {
    default: 'none: files are not scanned for malware',
    meaning:
      'A clamd that scans every file before it is stored; while it does not answer, uploads are refused.',
    expected: 'a host and port such as clamav:3310, or the path of a socket',
  },
  STRIPE_SECRET_KEY: {
    default: 'none: the sandbox accepts test cards, and no money moves',
    meaning: 'The secret key of the Stripe account.',
    expected: 'a key that begins with sk_ or rk_',
    secret: true,
  },
  STRIPE_PUBLISHABLE_KEY: {
    default: 'none',
    meaning: 'The publishable key of the same account; it is sent to browsers.',
    expected: 'a key that begins with pk_',
  },
  STRIPE_WEBHOOK_SECRET: {
    default: 'none',
    meaning:
      'The secret of the webhook endpoint PUBLIC_URL/webhooks/stripe. Of several all are accepted, which allows a rotation.',
    expected: 'secrets that begin with whsec_, separated by commas',
    secret: true,
  },
  STRIPE_API_BASE: {
    default: 'https://api.stripe.com',
    meaning: 'Another server with Stripe’s API, for testing.',
    expected: 'an https address, or an http one of this machine',
  },
  EFACTURA_ENV: {
    default: 'none: no document is sent; a demo sends to an office of its own',
    meaning:
      'The system of the Romanian tax office that electronic invoices are sent to, once an administrator has authorised the portal and switched it on in the desk.',
    expected: 'test or prod',
  },
  EFACTURA_CLIENT_ID: {
    default: 'none',
    meaning:
      'The client id of the application registered at the tax office, with PUBLIC_URL/desk/e-factura as its callback.',
    expected: 'up to 200 characters without spaces',
  },
  EFACTURA_CLIENT_SECRET: {
    default: 'none',
    meaning: 'The client secret of that application.',
    expected: 'up to 200 characters without spaces',
    secret: true,
  },
  EFACTURA_BASE_URL: {
    default: 'none: https://logincert.anaf.ro and https://api.anaf.ro',
    meaning: 'Another server with the calls of the tax office, for testing.',
    expected: 'an https address, or an http one of this machine',
  },
  ALLOW_SANDBOX_PAYMENTS: {
    default: '0',
    meaning: 'With 1 the sandbox may replace a payment provider although NODE_ENV is production.',
    expected: '0 or 1',
  },
  NODE_ENV: {
    default: 'none',
    meaning:
      'With production the portal is never a demo, and does not start with the sandbox for payments unless that is allowed.',
    expected: 'a word',
  },
}

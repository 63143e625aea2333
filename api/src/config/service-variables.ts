import type { checks } from './env-checks.ts'

export type Variable = {
  /** The default in words, because some depend on other variables. */
  default: string
  meaning: string
  expected: string
  /** The value never appears in a message or a log, and may be in the file that NAME_FILE names. */
  secret?: true
}

/** The variables of services that the portal uses: storage, mail in, payments, the tax office. */
export const serviceVariables = {
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
} satisfies Partial<Record<keyof typeof checks, Variable>>

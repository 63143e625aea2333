import { isUtf8 } from 'node:buffer'
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'

/** The signature headers of a message, by Standard Webhooks 1.0. */
export type Signed = {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/**
 * The verdict on a message: genuine, expired (more than five minutes from our time), or forged (no secret
 * made its signature).
 */
export type Verdict = 'genuine' | 'expired' | 'forged'

/**
 * Signs a text with every active secret, so that a receiver with any of them verifies it: no message is lost
 * during a rotation. `id` is unique per message, so that its receiver can reject duplicates.
 */
export function sign(
  secrets: readonly string[],
  text: string,
  { id = `msg_${randomUUID()}`, at = new Date() } = {},
): Signed {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, text)).join(' '),
  }
}

function verdictOf(secret: string, text: string, headers: Record<string, string>): Verdict {
  try {
    new Webhook(secret).verify(text, headers, { jsonParse: false })
    return 'genuine'
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return /timestamp too/.test(error.message) ? 'expired' : 'forged'
  }
}

/** Verifies that one of the secrets signed these raw bytes within five minutes of now. */
export function verify(
  secrets: readonly string[],
  body: Buffer,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Verdict {
  // Invalid UTF-8 would be changed by decoding, so it cannot be what was signed.
  if (!isUtf8(body)) return 'forged'
  const given = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headers[name]])
  if (!given.every(([, value]) => typeof value === 'string')) return 'forged'
  const text = body.toString()
  const verdicts = secrets.map((secret) => verdictOf(secret, text, Object.fromEntries(given)))
  return verdicts.find((verdict) => verdict === 'genuine') ?? verdicts[0] ?? 'forged'
}

/** Like `verify`, for bytes that need not be text, such as a mail; the caller checks the time. */
export function verifyBytes(
  secret: string,
  body: Buffer,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given } = headers
  if (typeof id !== 'string' || typeof at !== 'string' || typeof given !== 'string') return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest()
  return given.split(' ').some((one) => {
    const signature = Buffer.from(one.replace(/^v1,/, ''), 'base64')
    return (
      one.startsWith('v1,') && signature.length === expected.length && timingSafeEqual(signature, expected)
    )
  })
}

import { isUtf8 } from 'node:buffer'
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'

/** The headers that sign a message, by Standard Webhooks 1.0. */
export type Signed = {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/** Why a message is not believed: its time is more than five minutes from ours, or no secret made its signature. */
export type Verdict = 'genuine' | 'expired' | 'forged'

/**
 * Signs a text with every live secret, so that whoever knows one of them believes it: while a secret is exchanged no message
 * is lost. `id` is new for each message; its receiver may see it once only.
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

/** Whether one of the secrets signed these bytes, as they came, within five minutes of now. */
export function verify(
  secrets: readonly string[],
  body: Buffer,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Verdict {
  // Bytes that are no text would be changed by reading them, and so are not what was signed.
  if (!isUtf8(body)) return 'forged'
  const given = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headers[name]])
  if (!given.every(([, value]) => typeof value === 'string')) return 'forged'
  const text = body.toString()
  const verdicts = secrets.map((secret) => verdictOf(secret, text, Object.fromEntries(given)))
  return verdicts.find((verdict) => verdict === 'genuine') ?? verdicts[0] ?? 'forged'
}

/** As `verify`, of bytes that need not be text, such as a mail; its time is for the caller to look at. */
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

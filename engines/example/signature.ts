import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

// Standard Webhooks 1.0, as both sides of the contract sign: base64(HMAC-SHA256(secret,
// "id.timestamp.text")).

const toleranceSeconds = 300

/** The signature headers of a message. */
export type Signed = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>

function signature(secret: string, id: string, timestamp: string, text: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`
}

/** The headers for a text: the sent body or, without one, `METHOD path?query`. */
export function sign(secret: string, text: string, id = `msg_${randomUUID()}`, at = Date.now()): Signed {
  const timestamp = String(Math.floor(at / 1000))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature(secret, id, timestamp, text),
  }
}

const equal = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** Whether one of the secrets signed this text within five minutes of now. */
export function isGenuine(secrets: readonly string[], text: string, headers: Partial<Signed>): boolean {
  const {
    'webhook-id': id = '',
    'webhook-timestamp': timestamp = '',
    'webhook-signature': given = '',
  } = headers
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds || id === '' || id.includes('.')) return false
  // During a rotation a message carries a signature by each secret; one valid signature is enough.
  return secrets.some((secret) => {
    const right = signature(secret, id, timestamp, text)
    return given.split(' ').some((one) => equal(one, right))
  })
}

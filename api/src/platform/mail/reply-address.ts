import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/**
 * The recipient of a ticket's letters, who may answer by mail: a client, a member of staff, or a subscribed
 * address, each by id.
 */
export type Recipient = { readonly kind: 'client' | 'staff' | 'email'; readonly id: number }

/** The content of a reply address: the recipient, and the ticket. */
export type ReplyTo = Recipient & { readonly ticketId: number }

/** Creates and parses reply addresses. A forged or altered one parses to nothing. */
export type ReplyAddresses = {
  readonly of: (to: ReplyTo) => string
  readonly read: (address: string) => ReplyTo | undefined
}

const letters = { client: 'c', staff: 's', email: 'e' } as const
const kinds = { c: 'client', s: 'staff', e: 'email' } as const

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

// Mail servers may lower-case an address, so the alphabet is lower-case only.
function base32(bytes: Buffer): string {
  let [text, held, bits] = ['', 0, 0]
  for (const byte of bytes) {
    held = (held << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31]
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + alphabet[(held << (5 - bits)) & 31] : text
}

const macBytes = 16
const pattern = /^([1-9]\d{0,14})\.([cse])([1-9]\d{0,14})\.([a-z2-7]{26})$/

/**
 * Addresses of the form `reply+{ticket}.{recipient}.{mac}@host`, signed with 128 bits of an HMAC by the token
 * secret. As with tokens, of several secrets the first signs and all verify.
 */
export function replyAddresses(address: string, tokenSecret: string): ReplyAddresses {
  const at = address.lastIndexOf('@')
  const [local, host] = [address.slice(0, at).toLowerCase(), address.slice(at + 1).toLowerCase()]
  const keys = tokenSecret
    .split(',')
    .map((secret) => Buffer.from(hkdfSync('sha256', secret.trim(), '', 'portico reply address', 32)))
  const macOf = (key: Buffer, said: string) =>
    base32(createHmac('sha256', key).update(`${said}@${host}`).digest().subarray(0, macBytes))
  const [first] = keys
  if (first === undefined) throw new Error('Reply addresses need a secret.')
  return {
    of: ({ ticketId, kind, id }) => {
      const said = `${ticketId}.${letters[kind]}${id}`
      return `${local}+${said}.${macOf(first, said)}@${host}`
    },
    read: (given) => {
      const small = given.trim().toLowerCase()
      if (!small.startsWith(`${local}+`) || !small.endsWith(`@${host}`)) return undefined
      const inner = small.slice(local.length + 1, -host.length - 1)
      const [, ticket, letter, id, mac = ''] = pattern.exec(inner) ?? []
      if (letter !== 'c' && letter !== 's' && letter !== 'e') return undefined
      const said = `${ticket}.${letter}${id}`
      const genuine = keys.some((key) => timingSafeEqual(Buffer.from(macOf(key, said)), Buffer.from(mac)))
      return genuine ? { ticketId: Number(ticket), kind: kinds[letter], id: Number(id) } : undefined
    },
  }
}

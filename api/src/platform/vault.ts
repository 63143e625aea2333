import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Keeps what must be readable again later, such as the secret of an authenticator app, unreadable in the database. */
export type Vault = {
  readonly seal: (plain: string) => Buffer
  /** Throws when it was sealed with a secret that is not known, or was changed since. */
  readonly unseal: (sealed: Uint8Array) => string
  /** The first bytes of all that can be opened, those of the secret that seals first. */
  readonly known: readonly Buffer[]
  /** The first bytes of what secrets sealed that are still known, but are not the first any more. */
  readonly outdated: readonly Buffer[]
}

const idLength = 6
const ivLength = 12
const tagLength = 16

/**
 * A vault for a token secret: AES-256-GCM, each text with the id of the key that sealed it before it. As with tokens, of
 * several secrets (commas separate them) the first seals and all unseal.
 */
export function makeVault(tokenSecret: string): Vault {
  const keys = tokenSecret.split(',').map((part) => {
    const derive = (use: string, length: number) =>
      Buffer.from(hkdfSync('sha256', part.trim(), '', `portico vault ${use}`, length))
    return { id: derive('id', idLength), key: derive('key', 32) }
  })
  const [first, ...older] = keys
  if (first === undefined) throw new Error('A vault needs a secret.')
  return {
    known: keys.map(({ id }) => id),
    outdated: older.map(({ id }) => id),
    seal: (plain) => {
      const iv = randomBytes(ivLength)
      const cipher = createCipheriv('aes-256-gcm', first.key, iv)
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([first.id, iv, cipher.getAuthTag(), text])
    },
    unseal: (sealed) => {
      const bytes = Buffer.from(sealed)
      const known = keys.find(({ id }) => id.equals(bytes.subarray(0, idLength)))
      if (known === undefined) throw new Error('This was sealed with a secret that is not known any more.')
      const iv = bytes.subarray(idLength, idLength + ivLength)
      const tag = bytes.subarray(idLength + ivLength, idLength + ivLength + tagLength)
      const decipher = createDecipheriv('aes-256-gcm', known.key, iv)
      decipher.setAuthTag(tag)
      return (
        decipher.update(bytes.subarray(idLength + ivLength + tagLength), undefined, 'utf8') +
        decipher.final('utf8')
      )
    },
  }
}

/** What was sealed, or undefined when it cannot be opened any more: then it has to be made anew. */
export function opened(vault: Vault, sealed: Uint8Array): string | undefined {
  try {
    return vault.unseal(sealed)
  } catch {
    return undefined
  }
}

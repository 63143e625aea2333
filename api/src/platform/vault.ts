import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts values that must be readable again later, such as the secret of an authenticator app. */
export type Vault = {
  readonly seal: (plain: string) => Buffer
  /** Throws when the value was sealed with an unknown secret, or altered. */
  readonly unseal: (sealed: Uint8Array) => string
  /** The leading bytes of all values that can be opened, the current secret's first. */
  readonly known: readonly Buffer[]
  /** The leading bytes of values that were sealed with known but no longer current secrets. */
  readonly outdated: readonly Buffer[]
}

const idLength = 6
const ivLength = 12
const tagLength = 16

/**
 * A vault for a token secret: AES-256-GCM, with the id of the key before each text. As with tokens, of
 * several comma-separated secrets the first seals and all unseal.
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
      if (known === undefined) throw new Error('The value was sealed with an unknown secret.')
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

/** The unsealed text, or undefined when it cannot be opened and must be created again. */
export function unsealOrUndefined(vault: Vault, sealed: Uint8Array): string | undefined {
  try {
    return vault.unseal(sealed)
  } catch {
    return undefined
  }
}

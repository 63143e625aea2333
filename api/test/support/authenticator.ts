import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'

/** The ways in which a response may deviate from an honest one. */
type Lie = {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly crossOrigin?: boolean
  readonly userVerified?: boolean
  readonly counter?: number
  readonly userHandle?: string
  /** Signs with this key instead of the credential's. */
  readonly key?: KeyObject
  readonly attestation?: { readonly fmt: string; readonly attStmt: ReadonlyMap<string, Cbor> }
}

type Cbor = number | string | Buffer | readonly Cbor[] | ReadonlyMap<string | number, Cbor>

/** The head of a CBOR item: its major type, and a length or value (RFC 8949, section 3). */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}

function cbor(item: Cbor): Buffer {
  if (typeof item === 'number') return item < 0 ? head(1, -1 - item) : head(0, item)
  if (typeof item === 'string') return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)])
  if (Buffer.isBuffer(item)) return Buffer.concat([head(2, item.length), item])
  if (item instanceof Map)
    return Buffer.concat([
      head(5, item.size),
      ...[...item].flatMap(([name, value]) => [cbor(name), cbor(value)]),
    ])
  const list = [...item] as readonly Cbor[] // Only lists remain here.
  return Buffer.concat([head(4, list.length), ...list.map(cbor)])
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** An EC2 key on P-256 for ES256, as COSE writes it (RFC 9053, sections 2.1 and 7.1). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
}

const flag = { present: 1, verified: 4, backupEligible: 8, backedUp: 16, attested: 64 }

type Credential = {
  readonly id: Buffer
  readonly key: KeyObject
  readonly rpId: string
  readonly userHandle: string
  counter: number
}

/** A key pair whose private half another authenticator may forge with. */
export function newKey(): KeyObject {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }))
}

/**
 * A browser and an authenticator in software: creates passkeys and signs in with them according to the specification
 * (Web Authentication level 3, sections 6.1 and 6.5), with deviations on request.
 */
export class Authenticator {
  readonly credentials: Credential[] = []
  readonly #origin: string
  readonly #synced: boolean

  constructor({ origin = 'http://localhost:3000', synced = false } = {}) {
    this.#origin = origin
    this.#synced = synced
  }

  #clientData(type: string, challenge: string, lie: Lie): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: lie.type ?? type,
        challenge: lie.challenge ?? challenge,
        origin: lie.origin ?? this.#origin,
        crossOrigin: lie.crossOrigin ?? false,
      }),
    )
  }

  #data(rpId: string, counter: number, lie: Lie, attested?: Buffer): Buffer {
    const flags =
      flag.present |
      (lie.userVerified === false ? 0 : flag.verified) |
      (this.#synced ? flag.backupEligible | flag.backedUp : 0) |
      (attested ? flag.attested : 0)
    const rest = Buffer.alloc(5)
    rest.writeUInt8(flags, 0)
    rest.writeUInt32BE(lie.counter ?? counter, 1)
    return Buffer.concat([sha256(lie.rpId ?? rpId), rest, attested ?? Buffer.alloc(0)])
  }

  /** The result of `navigator.credentials.create`. A synced passkey has no counter. */
  create(options: PublicKeyCredentialCreationOptionsJSON, lie: Lie = {}): RegistrationResponseJSON {
    const credential: Credential = {
      id: randomBytes(32),
      key: newKey(),
      rpId: options.rp.id ?? new URL(this.#origin).hostname,
      userHandle: options.user.id,
      counter: this.#synced ? 0 : 1,
    }
    this.credentials.push(credential)
    const length = Buffer.from([credential.id.length >> 8, credential.id.length & 255])
    const attested = Buffer.concat([Buffer.alloc(16), length, credential.id, coseKey(credential.key)])
    const { fmt = 'none', attStmt = new Map() } = lie.attestation ?? {}
    const attestationObject = cbor(
      new Map<string, Cbor>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', this.#data(credential.rpId, credential.counter, lie, attested)],
      ]),
    )
    const id = credential.id.toString('base64url')
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: { credProps: { rk: true } },
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, lie).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** The result of `navigator.credentials.get`, with the newest passkey. */
  get(options: PublicKeyCredentialRequestOptionsJSON, lie: Lie = {}): AuthenticationResponseJSON {
    const credential = this.credentials.at(-1)
    if (credential === undefined) throw new Error('This authenticator has no passkey.')
    if (!this.#synced) credential.counter++
    const clientData = this.#clientData('webauthn.get', options.challenge, lie)
    const authenticatorData = this.#data(credential.rpId, credential.counter, lie)
    const signed = Buffer.concat([authenticatorData, sha256(clientData)])
    const id = credential.id.toString('base64url')
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, lie.key ?? credential.key).toString('base64url'),
        userHandle: lie.userHandle ?? credential.userHandle,
      },
    }
  }
}

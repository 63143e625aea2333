import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import * as z from 'zod/mini'
import { lifetimes } from '#identity/config.ts'
import type { Deps } from '#identity/deps.ts'

// Loaded on first use, so that it does not delay the start.
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

// EdDSA, ES256 and RS256, which authenticators support. Listed here, because the library's default depends on
// the machine.
const algorithms = [-8, -7, -257]

const base64url = z.string().check(z.regex(/^[\w-]+$/), z.maxLength(10_000))
const credential = { id: base64url, rawId: base64url, type: z.literal('public-key') }

const created = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.catch(z.array(z.string().check(z.maxLength(20))).check(z.maxLength(10)), []),
  }),
})

const asserted = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url,
  }),
})

// The portal forbids framing by other origins, so no honest response is cross-origin.
const clientData = z.object({ challenge: z.string(), crossOrigin: z.optional(z.literal(false)) })

/** The relying party: the portal, by its host. */
const relyingParty = ({ config }: Pick<Deps, 'config'>) => ({
  expectedOrigin: config.issuer,
  expectedRPID: new URL(config.issuer).hostname,
})

/** The library throws for every invalid response, which is the client's input. */
async function held<T>(check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check()
  } catch {
    return undefined
  }
}

/** The challenge in the client data; whether it is ours is checked later. */
function challengeOf(clientDataJSON: string): string | undefined {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge
  } catch {
    return undefined
  }
}

/** The user handle: the account id, which holds no personal data. */
const handleOf = (accountId: string) => Buffer.from(accountId.replaceAll('-', ''), 'hex')

export type NewCredential = {
  readonly id: string
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly transports: readonly string[]
  readonly synced: boolean
}

/** The options of `navigator.credentials.create` for a discoverable passkey. */
export async function creationOptions(
  deps: Pick<Deps, 'config' | 'brandName'>,
  person: {
    readonly accountId: string
    readonly email: string
    readonly name: string
    readonly challenge: string
    readonly known: readonly { readonly id: string; readonly transports: string[] }[]
  },
) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: deps.brandName(),
    rpID: relyingParty(deps).expectedRPID,
    userID: handleOf(person.accountId),
    userName: person.email,
    userDisplayName: person.name,
    challenge: Buffer.from(person.challenge, 'base64url'),
    timeout: lifetimes.challenge,
    excludeCredentials: [...person.known],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
}

/** The options of `navigator.credentials.get` for any passkey of this portal. */
export async function requestOptions(deps: Pick<Deps, 'config'>, challenge: string) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: relyingParty(deps).expectedRPID,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: lifetimes.challenge,
    userVerification: 'required',
  })
}

/**
 * Whether the attestation is `none` or self-signed. Others hold certificates whose addresses would be fetched
 * from our network, chosen by the client.
 */
async function attestsItself(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await helpers()
  const decoded = decodeAttestationObject(Buffer.from(attestationObject, 'base64url'))
  const format = decoded.get('fmt')
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

/** Parses a response of `navigator.credentials.create`; undefined when it is malformed. */
export function readCreated(response: unknown) {
  const read = created.safeParse(response)
  const challenge = read.success ? challengeOf(read.data.response.clientDataJSON) : undefined
  if (!read.success || challenge === undefined) return undefined
  const answer: RegistrationResponseJSON = { ...read.data, clientExtensionResults: {} }
  return {
    challenge,
    /** The new credential, when the response is valid and the person was verified. */
    verify: (deps: Pick<Deps, 'config'>): Promise<NewCredential | undefined> =>
      held(async () => {
        if (!(await attestsItself(answer.response.attestationObject))) return undefined
        const { verifyRegistrationResponse } = await library()
        const { registrationInfo } = await verifyRegistrationResponse({
          response: answer,
          expectedChallenge: challenge,
          ...relyingParty(deps),
          supportedAlgorithmIDs: algorithms,
        })
        return (
          registrationInfo && {
            ...registrationInfo.credential,
            transports: read.data.response.transports,
            synced: registrationInfo.credentialBackedUp,
          }
        )
      }),
  }
}

/** Parses a response of `navigator.credentials.get`; undefined when it is malformed. */
export function readAsserted(response: unknown) {
  const read = asserted.safeParse(response)
  const challenge = read.success ? challengeOf(read.data.response.clientDataJSON) : undefined
  if (!read.success || challenge === undefined) return undefined
  const answer: AuthenticationResponseJSON = { ...read.data, clientExtensionResults: {} }
  return {
    challenge,
    credentialId: answer.id,
    /** Whether the response claims that the passkey belongs to this account. */
    isOf: (accountId: string) => read.data.response.userHandle === handleOf(accountId).toString('base64url'),
    /**
     * The counter and whether the passkey is synced, when the response is valid and the person was verified.
     */
    verify: (
      deps: Pick<Deps, 'config'>,
      stored: WebAuthnCredential,
    ): Promise<{ counter: number; synced: boolean } | undefined> =>
      held(async () => {
        const { verifyAuthenticationResponse } = await library()
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response: answer,
          expectedChallenge: challenge,
          ...relyingParty(deps),
          credential: stored,
        })
        if (!verified) return undefined
        return { counter: authenticationInfo.newCounter, synced: authenticationInfo.credentialBackedUp }
      }),
  }
}

import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import * as z from 'zod/mini'
import { lifetimes } from '#identity/config.ts'
import type { Deps } from '#identity/deps.ts'

// Loaded when the first passkey is used, so that a start does not wait for it.
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

// EdDSA, ES256 and RS256: what authenticators have. Named here, because the library's own list depends on the machine.
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

// No page of another origin shows ours in a frame, so no honest answer comes out of one.
const clientData = z.object({ challenge: z.string(), crossOrigin: z.optional(z.literal(false)) })

/** The portal as authenticators know it: by the host of its address. */
const relyingParty = ({ config }: Pick<Deps, 'config'>) => ({
  expectedOrigin: config.issuer,
  expectedRPID: new URL(config.issuer).hostname,
})

/** The library throws for whatever does not hold, and all of that came from the client. */
async function held<T>(check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check()
  } catch {
    return undefined
  }
}

/** The challenge that an answer says it is to; whether it was ours, and for this, is to be seen. */
function challengeOf(clientDataJSON: string): string | undefined {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge
  } catch {
    return undefined
  }
}

/** What stands for an account with authenticators: its id, which tells nothing of the person. */
const handleOf = (accountId: string) => Buffer.from(accountId.replaceAll('-', ''), 'hex')

export type NewCredential = {
  readonly id: string
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly transports: readonly string[]
  readonly synced: boolean
}

/** What `navigator.credentials.create` is asked for: a passkey that is found without an e-mail, and knows its owner. */
export async function creationOptions(
  deps: Pick<Deps, 'config'>,
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
    rpName: 'Portico',
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

/** What `navigator.credentials.get` is asked for: any passkey of this portal, whoever's it is. */
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
 * Whether nobody has to be asked about the attestation: there is none, or the new key signed itself. Others name certificates,
 * and the addresses in those would be fetched: from our network, for whoever wrote them.
 */
async function attestsItself(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await helpers()
  const decoded = decodeAttestationObject(Buffer.from(attestationObject, 'base64url'))
  const format = decoded.get('fmt')
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

/** An answer of `navigator.credentials.create`; undefined when it has not the form of one. */
export function readCreated(response: unknown) {
  const read = created.safeParse(response)
  const challenge = read.success ? challengeOf(read.data.response.clientDataJSON) : undefined
  if (!read.success || challenge === undefined) return undefined
  const answer: RegistrationResponseJSON = { ...read.data, clientExtensionResults: {} }
  return {
    challenge,
    /** The new credential, when everything holds, the person's verification included. */
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

/** An answer of `navigator.credentials.get`; undefined when it has not the form of one. */
export function readAsserted(response: unknown) {
  const read = asserted.safeParse(response)
  const challenge = read.success ? challengeOf(read.data.response.clientDataJSON) : undefined
  if (!read.success || challenge === undefined) return undefined
  const answer: AuthenticationResponseJSON = { ...read.data, clientExtensionResults: {} }
  return {
    challenge,
    credentialId: answer.id,
    /** Whether it says that the passkey belongs to this account. */
    isOf: (accountId: string) => read.data.response.userHandle === handleOf(accountId).toString('base64url'),
    /** The counter and whether the passkey is synced, when everything holds, the person's verification included. */
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

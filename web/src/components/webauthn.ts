import * as accountAddresses from '@portico/contract/calls/account/addresses.ts'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { call } from '../api/call.ts'
import { Failure } from '../api/failure.ts'
import { m } from '../texts/compiled/messages.js'
import { chunk } from '../ui/loading/chunk.ts'

const load = () => chunk(() => import('@simplewebauthn/browser'))

type Answer = Record<string, unknown>

/** The failure of the browser's own dialog, in words; most often the person just closed it. */
function refusedFor(said: () => string) {
  return (error: unknown): never => {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError'
    const detail = isKnown ? m.passkey_known() : said()
    throw new Failure(0, [{ detail }], detail)
  }
}

/** Creates a passkey for the signed-in person; returns the response for the server to verify. */
export async function makePasskey(): Promise<Answer> {
  const [{ startRegistration }, { options }] = await Promise.all([
    load(),
    call(accountAddresses.newPasskeyOptions, {}),
  ])
  // The server generates these options for this function; the contract passes them through untyped.
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
  return { ...(await startRegistration({ optionsJSON }).catch(refusedFor(m.passkey_not_made))) }
}

/** Signs in with any passkey that the browser offers; returns the one-time code of the sign-in. */
export async function signInWithPasskey(): Promise<string> {
  const [{ startAuthentication }, { options }] = await Promise.all([
    load(),
    call(addresses.passkeyOptions, {}),
  ])
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON']
  const response = await startAuthentication({ optionsJSON }).catch(refusedFor(m.passkey_not_used))
  return (await call(addresses.passkeyVerify, { response: { ...response } })).code
}

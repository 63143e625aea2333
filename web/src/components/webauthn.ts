import * as addresses from '@portico/contract/calls/addresses.ts'
import { call } from '../api/call.ts'
import { Failure } from '../api/failure.ts'
import { m } from '../texts/compiled/messages.js'
import { chunk } from '../ui/chunk.ts'

const load = () => chunk(() => import('@simplewebauthn/browser'))

type Answer = Record<string, unknown>

/** What the browser's own dialog ended with, in words; it is closed more often than it fails. */
function refusedFor(said: () => string) {
  return (error: unknown): never => {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError'
    const detail = isKnown ? m.passkey_known() : said()
    throw new Failure(0, [{ detail }], detail)
  }
}

/** Lets the browser make a passkey for the person who is signed in; answers what the server is to check. */
export async function makePasskey(): Promise<Answer> {
  const [{ startRegistration }, { options }] = await Promise.all([
    load(),
    call(addresses.newPasskeyOptions, {}),
  ])
  // The server makes them for this very function; the contract passes them on unread.
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
  return { ...(await startRegistration({ optionsJSON }).catch(refusedFor(m.passkey_not_made))) }
}

/** Signs in with any passkey that the browser offers; answers the code of the sign-in. */
export async function signInWithPasskey(): Promise<string> {
  const [{ startAuthentication }, { options }] = await Promise.all([
    load(),
    call(addresses.passkeyOptions, {}),
  ])
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON']
  const response = await startAuthentication({ optionsJSON }).catch(refusedFor(m.passkey_not_used))
  return (await call(addresses.passkeyVerify, { response: { ...response } })).code
}

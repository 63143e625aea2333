import * as addresses from '@portico/contract/calls/addresses.ts'
import {
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { call } from '../../api/call.ts'
import { m } from '../../texts/compiled/messages.js'

/** Signs in with a passkey that the person chooses; returns the code for the callback. */
export async function askForPasskey(): Promise<{ code: string }> {
  const { options } = await call(addresses.passkeyOptions, {})
  const response = await startAuthentication({
    // The contract passes WebAuthn's JSON through unchanged.
    optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
  })
  return call(addresses.passkeyVerify, { response: { ...response } })
}

/** Words for a browser that gave no passkey; rethrows other errors. */
export function passkeyInWords(error: unknown): string {
  if (error instanceof WebAuthnError || error instanceof DOMException) return m.passkey_unused()
  throw error
}

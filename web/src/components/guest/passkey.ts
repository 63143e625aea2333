import * as addresses from '@portico/contract/calls/addresses.ts'
import {
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { call } from '../../api/call.ts'
import { m } from '../../texts/compiled/messages.js'

/** Signs in with whichever passkey the person chooses; answers the code for the callback. */
export async function askForPasskey(): Promise<{ code: string }> {
  const { options } = await call(addresses.passkeyOptions, {})
  const response = await startAuthentication({
    // The contract hands WebAuthn's own JSON through as it is.
    optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
  })
  return call(addresses.passkeyVerify, { response: { ...response } })
}

/** What to say when the browser gave no passkey; what is not of its making is thrown on. */
export function passkeyInWords(error: unknown): string {
  if (error instanceof WebAuthnError || error instanceof DOMException) return m.passkey_unused()
  throw error
}

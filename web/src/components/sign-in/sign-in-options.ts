import * as addresses from '@portico/contract/calls/addresses.ts'
import { useEffect, useState } from 'react'
import { call, type Output } from '../../api/call.ts'

export type SignInOptions = Output<typeof addresses.authConfig>

const nothing: SignInOptions = { google: false, mail: true, country_lookup: null, demo_accounts: null }

/**
 * The sign-in methods of this portal for guests. Until the server answers it is e-mail only, which always
 * works.
 */
export function useSignInOptions(): SignInOptions {
  const [offer, setOffer] = useState(nothing)
  useEffect(() => {
    const stop = new AbortController()
    call(addresses.authConfig, {}, stop.signal).then(setOffer, () => undefined)
    return () => stop.abort()
  }, [])
  return offer
}

import * as addresses from '@portico/contract/calls/addresses.ts'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'

export type DemoAccount = { email: string; name: string; note: string }
type Offer = { google: boolean; accounts: readonly DemoAccount[] }

const nothing: Offer = { google: false, accounts: [] }

/** What else the sign-in page offers here. Without an answer it offers e-mail, which always works. */
export function useSignInOffer(): Offer {
  const [offer, setOffer] = useState(nothing)
  useEffect(() => {
    const stop = new AbortController()
    call(addresses.authConfig, {}, stop.signal).then(
      ({ google, demo_accounts }) => setOffer({ google, accounts: demo_accounts ?? [] }),
      () => undefined,
    )
    return () => stop.abort()
  }, [])
  return offer
}

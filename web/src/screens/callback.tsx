import * as addresses from '@portico/contract/calls/addresses.ts'
import { call } from '../api/call.ts'
import { Arriving } from '../components/arriving.tsx'
import { inWords } from '../components/guest/refusal.ts'
import { m } from '../texts/compiled/messages.js'

/** Exchanges the code that sign-in gave for a session. */
export default function CallbackScreen() {
  return (
    <Arriving
      exchange={(query) => call(addresses.callback, { code: query.get('code') ?? '' })}
      why={(failure) => inWords(failure, m.callback_refused)}
    />
  )
}

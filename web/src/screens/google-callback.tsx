import * as addresses from '@portico/contract/calls/addresses.ts'
import type { User } from '@portico/contract/calls/user.ts'
import { http } from '../api/http.ts'
import { Arriving } from '../components/arriving.tsx'

/** Finishes a sign-in with Google: what it sent back is the server's to judge. */
export default function GoogleCallbackScreen() {
  return (
    <Arriving
      exchange={async (query) => {
        const answer = await http(`${addresses.googleCallback.path}?${query}`)
        // The server answers this call as it does `callback`, with the person beside the tokens.
        return (answer as { user: User }).user
      }}
    />
  )
}

import * as addresses from '@portico/contract/calls/addresses.ts'
import { useEffect } from 'react'
import { call } from '../../api/call.ts'
import { asFailure } from '../../api/failure.ts'
import { useCall } from '../../api/write.ts'
import { keepFocus } from '../../components/keep-focus.ts'
import { dropFormDrafts } from '../../stores/form-drafts.ts'
import { type Language, setLanguage } from '../../stores/language.ts'
import { dropSavedDrafts } from '../../stores/saved-drafts.ts'
import { forgetToken, onSessionLost } from '../../stores/session.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { leave, signInAgain } from '../guard.ts'
import { portal } from '../routes.ts'

/** After the session has ended, leads to the sign-in page and back. */
export function useLostSession(): void {
  useEffect(() => onSessionLost(() => void signInAgain()), [])
}

/** Signs out in this browser, also when the server cannot be reached. */
export async function signOut(): Promise<void> {
  await call(addresses.logout, {}).catch(() => undefined)
  forgetToken()
  dropFormDrafts()
  dropSavedDrafts()
  await leave(portal.login)
}

/** Changes the language at once and saves the choice in the account. */
export function useChooseLanguage() {
  const keep = useCall(addresses.chooseLanguage)
  return (language: Language) => {
    keepFocus(() => setLanguage(language))
    keep
      .mutateAsync({ language })
      // The words have changed here all the same; only other browsers do not know yet.
      .catch((error: unknown) => toast(m.language_not_saved(), asFailure(error).message, 'bad'))
  }
}

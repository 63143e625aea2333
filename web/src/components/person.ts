import * as addresses from '@portico/contract/calls/addresses.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../api/call.ts'
import { asFailure } from '../api/failure.ts'
import { useUser } from '../api/queries/user.ts'
import { useAction, useCall, useUpdate } from '../api/write.ts'
import { href } from '../routes.ts'
import { dropFormDrafts } from '../stores/form-drafts.ts'
import { type Language, languageIds, setLanguage } from '../stores/language.ts'
import { dropSavedDrafts } from '../stores/saved-drafts.ts'
import { forgetToken } from '../stores/session.ts'
import { toast } from '../stores/toast.ts'
import { m } from '../texts/compiled/messages.js'
import { keepFocus } from './keep-focus.ts'

/** Signs out in this browser whatever the server answers: someone who leaves must not stay signed in. */
export function useSignOut() {
  const navigate = useNavigate()
  const client = useQueryClient()
  return async () => {
    await call(addresses.logout, {}).catch(() => undefined)
    forgetToken()
    dropFormDrafts()
    dropSavedDrafts()
    await navigate({ to: href('login'), ignoreBlocker: true })
    client.clear()
  }
}

/** Changes the language at once and saves the choice in the account. */
export function useChooseLanguage() {
  const user = useUser()
  const update = useUpdate('clients')
  const keep = useCall(addresses.chooseLanguage)
  return (chosen: Language) => {
    keepFocus(() => setLanguage(chosen))
    const saved: Promise<unknown> =
      user.staff === null
        ? update.mutateAsync({ id: user.id, attributes: { language_id: languageIds[chosen] } })
        : keep.mutateAsync({ language: chosen })
    // The words have changed here all the same; only other browsers do not know yet.
    saved.catch((error: unknown) => toast(m.language_not_saved(), asFailure(error).message, 'bad'))
  }
}

/**
 * Makes a workspace the current one, on the server too, and goes to the dashboard; pages that it filters stay instead.
 */
export function useChooseWorkspace() {
  const user = useUser()
  const navigate = useNavigate()
  const choose = useAction('clients', 'updateCurrentProject')
  return async (id: number, stay?: () => void) => {
    try {
      await choose.mutateAsync({ id: user.id, payload: { current_project_id: id } })
    } catch {
      return toast(m.an_error_has_occured(), m.workspace_not_chosen(), 'bad')
    }
    if (stay) stay()
    else await navigate({ to: href('dashboard') })
  }
}

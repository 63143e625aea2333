import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { queryClient } from '../../api/client.ts'
import { href } from '../../routes.ts'
import { dropFormDrafts } from '../../stores/form-drafts.ts'
import { forgetToken, onSessionLost, viewToken } from '../../stores/session.ts'
import { lazily } from '../../ui/loading/lazily.ts'
import { WhenAsked } from '../dialogs/when-asked.tsx'

const ViewBanner = lazily(async () => (await import('../notices/view-banner.tsx')).ViewBanner)

/**
 * A session that was ended on another device ends here too: it leads to the sign-in page, and back here
 * afterwards.
 */
function useLostSession(): void {
  const navigate = useNavigate()
  useEffect(() => {
    let gone = false
    return onSessionLost(() => {
      // Several calls may fail at once.
      if (gone) return
      gone = true
      const next = location.pathname + location.search + location.hash
      forgetToken()
      dropFormDrafts()
      void navigate({
        to: href('login'),
        ...(next !== '/' && { search: { next } }),
        replace: true,
        ignoreBlocker: true,
      }).then(() => queryClient.clear())
    })
  }, [navigate])
}

/** Wraps the pages behind the guard: only they read data, so only they load the code for it. */
export function SignedIn() {
  useLostSession()
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
      <WhenAsked />
      <Suspense>{viewToken() && <ViewBanner />}</Suspense>
    </QueryClientProvider>
  )
}

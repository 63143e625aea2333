import { Suspense } from 'react'
import { useListFailure } from '../../stores/list-failure.ts'
import { lazily } from '../../ui/lazily.ts'

const ListFailureDialog = lazily(async () => (await import('../dialogs/list-failure.tsx')).ListFailureDialog)
const Toasts = lazily(async () => (await import('./toasts.tsx')).Toasts)

/** What the portal says by itself, over any page: what was done, and which list could not be read. */
export function Notices() {
  const failure = useListFailure()
  return (
    <Suspense>
      {failure && <ListFailureDialog failure={failure} />}
      <Toasts />
    </Suspense>
  )
}

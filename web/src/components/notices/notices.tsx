import { Suspense } from 'react'
import { useListFailure } from '../../stores/list-failure.ts'
import { lazily } from '../../ui/lazily.ts'
import { Toasts } from './toasts.tsx'

const ListFailureDialog = lazily(async () => (await import('../dialogs/list-failure.tsx')).ListFailureDialog)

/** What the portal says by itself, over any page: what was done, and which list could not be read. */
export function Notices() {
  const failure = useListFailure()
  return (
    <>
      <Suspense>{failure && <ListFailureDialog failure={failure} />}</Suspense>
      <Toasts />
    </>
  )
}

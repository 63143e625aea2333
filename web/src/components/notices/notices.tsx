import { Suspense } from 'react'
import { useListFailure } from '../../stores/list-failure.ts'
import { lazily } from '../../ui/loading/lazily.ts'
import { Toasts } from './toasts.tsx'

const ListFailureDialog = lazily(async () => (await import('../dialogs/list-failure.tsx')).ListFailureDialog)

/** Messages over any page: toasts, and lists that failed to load. */
export function Notices() {
  const failure = useListFailure()
  return (
    <>
      <Suspense>{failure && <ListFailureDialog failure={failure} />}</Suspense>
      <Toasts />
    </>
  )
}

import { Suspense, useSyncExternalStore } from 'react'
import { lazily } from '../../ui/loading/lazily.ts'

const never = () => () => undefined

/** The server marks the pages of a copy; it stays one until the server restarts. */
const isMarked = () => document.querySelector('meta[name="portico-copy"]') !== null

const CopyNotice = lazily(async () => (await import('./copy-notice.tsx')).CopyNotice)

/** Says on the pages of a copy that they are one. */
export function CopyBanner() {
  // A prerendered page is the same for every portal.
  const isCopy = useSyncExternalStore(never, isMarked, () => false)
  return (
    isCopy && (
      <Suspense>
        <CopyNotice />
      </Suspense>
    )
  )
}

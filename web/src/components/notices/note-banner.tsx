import { Suspense, useSyncExternalStore } from 'react'
import { lazily } from '../../ui/loading/lazily.ts'

const never = () => () => undefined

/** The server marks pages about which there is something to say; what it is stands in the notes. */
const isMarked = () => document.querySelector('[name="portico-note"]') !== null

const Notes = lazily(async () => (await import('./notes.tsx')).Notes)

/** Says on marked pages what the server marked them with: that they are of a copy, or an announcement. */
export function NoteBanner() {
  // A prerendered page is the same for every portal.
  const isNoted = useSyncExternalStore(never, isMarked, () => false)
  return (
    isNoted && (
      <Suspense>
        <Notes />
      </Suspense>
    )
  )
}

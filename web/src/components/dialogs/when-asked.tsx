import { Suspense, useEffect, useState } from 'react'
import { askIdentityBy } from '../../stores/identity-check.ts'
import { lazily } from '../../ui/loading/lazily.ts'

const IdentityCheck = lazily(async () => (await import('./identity-check.tsx')).IdentityCheckDialog)

/** Asks the person to confirm their identity when the server requires it, over the current page. */
export function WhenAsked() {
  const [settle, setSettle] = useState<(confirmed: boolean) => void>()
  useEffect(
    () =>
      askIdentityBy(
        () =>
          new Promise((resolve) =>
            setSettle(() => (confirmed: boolean) => {
              setSettle(undefined)
              resolve(confirmed)
            }),
          ),
      ),
    [],
  )
  return <Suspense>{settle && <IdentityCheck onSettle={settle} />}</Suspense>
}

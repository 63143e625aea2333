import { useSyncExternalStore } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { IconOffline } from '../../ui/icons.tsx'
import classes from './banner.module.css'

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Says that the browser is offline; the page stays usable. */
export function OfflineBanner() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div role="status" className={online ? undefined : `${classes.banner} ${classes.quiet}`}>
      {!online && (
        <>
          <IconOffline size={16} aria-hidden="true" />
          <span>{m.offline()}</span>
        </>
      )}
    </div>
  )
}

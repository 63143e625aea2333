import { useSyncExternalStore } from 'react'
import { m } from '../../texts/compiled/messages.js'
import classes from './banner.module.css'

const never = () => () => undefined

/** The server marks the pages of a copy; it stays one until the server restarts. */
const isMarked = () => document.querySelector('meta[name="portico-copy"]') !== null

/** Says that the portal is a copy of another, in which nothing can be changed. */
export function CopyBanner() {
  // A prerendered page is the same for every portal.
  const isCopy = useSyncExternalStore(never, isMarked, () => false)
  return (
    isCopy && (
      <div role="status" className={classes.banner}>
        {m.copy_notice()}
      </div>
    )
  )
}

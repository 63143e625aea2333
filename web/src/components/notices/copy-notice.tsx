import { m } from '../../texts/compiled/messages.js'
import classes from './banner.module.css'

/** Says that the portal is a copy of another, in which nothing can be changed. */
export function CopyNotice() {
  return (
    <div role="status" className={classes.banner}>
      {m.copy_notice()}
    </div>
  )
}

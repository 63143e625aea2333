import { Bone } from '../../ui/loading/bones.tsx'
import classes from './thread.module.css'

/** The page of a ticket while it loads. */
export function Waiting() {
  return (
    <div aria-hidden="true">
      <div className={classes.header}>
        <Bone width={320} height={28} />
      </div>
      <div className={classes.columns}>
        <div className={classes.main}>
          <div className={`card ${classes.waiting}`}>
            <Bone width="40%" />
            <Bone height={72} />
          </div>
        </div>
        <div className={classes.aside}>
          <div className={`card ${classes.waiting}`}>
            <Bone height={120} />
          </div>
        </div>
      </div>
    </div>
  )
}

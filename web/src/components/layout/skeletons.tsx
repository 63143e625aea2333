import { Bone } from '../../ui/loading/bones.tsx'
import classes from './skeletons.module.css'

/** Placeholders for the cards of the dashboard, in their size. */
export function PageSkeleton() {
  return (
    <div aria-hidden="true">
      <div className={classes.head}>
        <Bone width={180} height={28} />
      </div>
      <div className={`card ${classes.numbers}`} />
      <div className={classes.grid}>
        {[1, 2, 3].map((key) => (
          <div key={key} className={`card ${classes.card}`}>
            <Bone width="50%" height={20} />
            <Bone width="30%" />
            <Bone width="80%" />
          </div>
        ))}
      </div>
    </div>
  )
}

/** The first paint of a protected page: the document contains it. */
export function Skeletons() {
  return (
    <>
      <div className={classes.bar}>
        <div className={classes.inner}>
          <Bone width={28} height={28} />
          <Bone width={140} height={20} />
          <span className={classes.space} />
          <Bone width={120} height={20} />
        </div>
      </div>
      <div className={classes.page}>
        <PageSkeleton />
      </div>
    </>
  )
}

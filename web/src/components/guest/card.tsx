import type { ReactNode } from 'react'
import classes from './guest.module.css'

type Props = { title: string; lead?: ReactNode; children?: ReactNode }

/** What a guest page is made of: one matter, its name, a sentence about it, and what to do. */
export function GuestCard({ title, lead, children }: Props) {
  return (
    <div className={`card ${classes.card}`}>
      <h1 tabIndex={-1} className={classes.title}>
        {title}
      </h1>
      {lead && <p className={classes.lead}>{lead}</p>}
      <div className={classes.stack}>{children}</div>
    </div>
  )
}

/** The place where a refusal is said; it is there before it says anything, so that screen readers hear it. */
export function Refusal({ message, detail }: { message: string | undefined; detail?: string | undefined }) {
  return (
    <div role="alert" className={classes.place}>
      {message && (
        <div className={classes.alert}>
          <p>{detail ? <strong>{message}</strong> : message}</p>
          {detail && <p>{detail}</p>}
        </div>
      )}
    </div>
  )
}

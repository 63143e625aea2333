import type { ReactNode } from 'react'
import classes from './guest.module.css'

type Props = { title: string; lead?: ReactNode; children?: ReactNode }

/** The frame of a guest page: title, lead, and one task. */
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

/** The live region of refusals. It is rendered before it has a text, so that screen readers announce it. */
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

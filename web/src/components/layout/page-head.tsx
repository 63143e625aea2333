import type { ReactNode } from 'react'
import classes from './page-head.module.css'

type Props = {
  title: string
  /** Another name of the page, said above the title. */
  eyebrow?: string
  lead?: string | undefined
  children?: ReactNode
}

/** The title of a page, its lead, and its actions on the right. */
export function PageHead({ title, eyebrow, lead, children }: Props) {
  return (
    <header className={classes.head}>
      <div>
        <h1 tabIndex={-1}>
          {eyebrow && <span className={classes.eyebrow}>{eyebrow} </span>}
          {title}
        </h1>
        {lead && <p>{lead}</p>}
      </div>
      {children && <div className={classes.actions}>{children}</div>}
    </header>
  )
}

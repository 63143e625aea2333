import type { ReactNode } from 'react'
import classes from './empty.module.css'

type Props = { icon: ReactNode; title: string; text?: string | undefined; children?: ReactNode }

/** Says that there is nothing, why, and offers what fills it. */
export function Empty({ icon, title, text, children }: Props) {
  return (
    <div className={classes.empty}>
      <span className={classes.icon} aria-hidden="true">
        {icon}
      </span>
      <p className={classes.title}>{title}</p>
      {text && <p className={classes.text}>{text}</p>}
      {children && <div className={classes.action}>{children}</div>}
    </div>
  )
}

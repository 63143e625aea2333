import type { ReactNode } from 'react'
import classes from './empty.module.css'

type Props = {
  icon: ReactNode
  title: string
  text?: string | undefined
  /** There is nothing else on the page, so that this is what it is headed by. */
  isPage?: boolean | undefined
  children?: ReactNode
}

/** Says that there is nothing, why, and offers what fills it. */
export function Empty({ icon, title, text, isPage, children }: Props) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className={classes.empty}>
      <span className={classes.icon} aria-hidden="true">
        {icon}
      </span>
      <Title className={classes.title} tabIndex={isPage ? -1 : undefined}>
        {title}
      </Title>
      {text && <p className={classes.text}>{text}</p>}
      {children && <div className={classes.action}>{children}</div>}
    </div>
  )
}

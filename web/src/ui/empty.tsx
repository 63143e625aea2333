import type { ReactNode } from 'react'
import classes from './empty.module.css'

type Props = {
  icon: ReactNode
  title: string
  text?: string | undefined
  /** Makes the title the heading of the page, where there is no other content. */
  isPage?: boolean | undefined
  children?: ReactNode
}

/** The empty state of a list: why it is empty, and how to fill it. */
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

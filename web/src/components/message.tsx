import type { ReactNode } from 'react'
import classes from './message.module.css'

type Props = { title: string; text: string; note?: string | undefined; lone?: boolean; children?: ReactNode }

/** A page that only has something to say. `lone`: nothing of a layout is around it, so it brings its own landmark. */
export function Message({ title, text, note, lone = false, children }: Props) {
  const content = (
    <div className={`card ${classes.message} ${lone ? classes.lone : ''}`}>
      <h1 tabIndex={-1}>{title}</h1>
      <p className={classes.text}>{text}</p>
      {note && <p className={classes.code}>{note}</p>}
      <div className={classes.actions}>{children}</div>
    </div>
  )
  return lone ? (
    <main id="main" style={{ padding: 16 }}>
      {content}
    </main>
  ) : (
    content
  )
}

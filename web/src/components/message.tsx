import type { ReactNode } from 'react'
import { href } from '../routes.ts'
import { m } from '../texts/compiled/messages.js'
import { Logo } from './logo.tsx'
import classes from './message.module.css'

type Props = {
  title: string
  text: string
  note?: string | undefined
  lone?: boolean
  level?: 1 | 2
  children?: ReactNode
}

/**
 * A page that consists of a message. `lone`: no layout surrounds it, so it brings the brand and its own
 * landmark; `level` 2: the page has a title already.
 */
export function Message({ title, text, note, lone = false, level = 1, children }: Props) {
  const Heading = level === 1 ? 'h1' : 'h2'
  const content = (
    <div className={`card ${classes.message}`}>
      <Heading tabIndex={-1}>{title}</Heading>
      <p className={classes.text}>{text}</p>
      {note && <p className={classes.code}>{note}</p>}
      <div className={classes.actions}>{children}</div>
    </div>
  )
  if (!lone) return content
  return (
    <div className={classes.lone}>
      <header>
        <a className="brand" href={href('dashboard')}>
          <Logo />
          <span>{m.brand()}</span>
        </a>
      </header>
      <main id="main">{content}</main>
    </div>
  )
}

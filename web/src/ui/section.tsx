import type { ReactNode } from 'react'
import classes from './section.module.css'

const headingOf = (id: string) => `${id}-heading`

/** Moves the reading to a section: where one goes on when what was pressed is no longer there. */
export const focusSection = (id: string): void =>
  document.getElementById(headingOf(id))?.focus({ preventScroll: true })

type Props = {
  /** The anchor that leads here. */
  id: string
  title: string
  lead?: ReactNode
  /** What stands beside the title: a state, a button. */
  aside?: ReactNode
  children: ReactNode
}

/** One matter of a long page: a card with its name, what it is about, and what can be done. */
export function Section({ id, title, lead, aside, children }: Props) {
  const heading = headingOf(id)
  return (
    <section id={id} className={`card ${classes.section}`} aria-labelledby={heading}>
      <div className={classes.head}>
        <div className={classes.title}>
          <h2 id={heading} tabIndex={-1}>
            {title}
          </h2>
          {aside}
        </div>
        {lead && <p>{lead}</p>}
      </div>
      {children}
    </section>
  )
}

/** What is filled in or read, no wider than one reads well. */
export function SectionBody({ children }: { children: ReactNode }) {
  return <div className={classes.body}>{children}</div>
}

/** What ends a section: its button, and what is to be said beside it. */
export function SectionFoot({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.foot}>
      <div className={classes.note}>{note}</div>
      <div className={classes.buttons}>{children}</div>
    </div>
  )
}

/** Rows of things that are alike: what each is, more about it, and what can be done with it. */
export function SectionList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  )
}

type RowProps = { icon?: ReactNode; title: ReactNode; text?: ReactNode; children?: ReactNode }

export function SectionRow({ icon, title, text, children }: RowProps) {
  return (
    <li className={classes.row}>
      {icon && (
        <span className={classes.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      <div className={classes.about}>
        <div className={classes.name}>{title}</div>
        {text && <div className={classes.text}>{text}</div>}
      </div>
      {children && <div className={classes.actions}>{children}</div>}
    </li>
  )
}

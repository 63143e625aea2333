import type { ReactNode } from 'react'
import classes from './section.module.css'

const headingOf = (id: string) => `${id}-heading`

/** Moves focus to a section, when the pressed button has disappeared. */
export const focusSection = (id: string): void =>
  document.getElementById(headingOf(id))?.focus({ preventScroll: true })

type Props = {
  /** The anchor of links to this section. */
  id: string
  title: string
  lead?: ReactNode
  /** Shown next to the title: a state or a button. */
  aside?: ReactNode
  children: ReactNode
}

/** One topic of a long page: a card with title, lead and content. */
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

/** Content of readable width. */
export function SectionBody({ children }: { children: ReactNode }) {
  return <div className={classes.body}>{children}</div>
}

/** The end of a section: its buttons, with a note next to them. */
export function SectionFoot({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.foot}>
      <div className={classes.note}>{note}</div>
      <div className={classes.buttons}>{children}</div>
    </div>
  )
}

/** A list of similar items, each with details and actions. */
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

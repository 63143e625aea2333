import { useClickOutside } from '@mantine/hooks'
import { type FocusEvent, type KeyboardEvent, useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import classes from './resource-table.module.css'

type Named = { readonly name: string; readonly label: string }

/** The storage key of a table is made of its columns. */
const keyOf = (columns: readonly Named[]) => `columns ${columns.map(({ name }) => name).join(' ')}`

function stored(key: string): string[] {
  // A browser without storage shows all columns.
  try {
    return (localStorage.getItem(key) ?? '').split(' ')
  } catch {
    return []
  }
}

/**
 * The visible columns, kept in the browser, and a function to show or hide one. The first one is always
 * visible.
 */
export function useColumnChoice<C extends Named>(columns: readonly C[]) {
  const key = keyOf(columns)
  const [hidden, setHidden] = useState(() => stored(key))
  const shown = columns.filter(({ name }, at) => at === 0 || !hidden.includes(name))
  const toggle = (name: string) => {
    const next = hidden.includes(name) ? hidden.filter((one) => one !== name) : [...hidden, name]
    setHidden(next)
    try {
      localStorage.setItem(key, next.join(' ').trim())
    } catch {
      // Without storage the choice lasts until the page is left.
    }
  }
  return { shown, toggle }
}

type Props = {
  columns: readonly Named[]
  shown: readonly Named[]
  onToggle: (name: string) => void
}

/** A menu to show or hide columns; it closes on Escape and when focus leaves it. */
export function ColumnChoice({ columns, shown, onToggle }: Props) {
  const [open, setOpen] = useState(false)
  const details = useClickOutside<HTMLDetailsElement>(() => setOpen(false))
  const leave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>) => {
    if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) setOpen(false)
  }
  const closeByKey = ({ key, currentTarget }: KeyboardEvent<HTMLDetailsElement>) => {
    if (key !== 'Escape') return
    setOpen(false)
    currentTarget.querySelector('summary')?.focus()
  }
  return (
    <details
      ref={details}
      className={classes.choice}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onBlur={leave}
      onKeyDown={closeByKey}
    >
      <summary>{m.columns()}</summary>
      <ul>
        {columns.slice(1).map(({ name, label }) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={shown.some((one) => one.name === name)}
                onChange={() => onToggle(name)}
              />
              {label}
            </label>
          </li>
        ))}
      </ul>
    </details>
  )
}

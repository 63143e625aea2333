import { Button } from '@mantine/core'
import { useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { LateMenu } from '../../ui/loading/late-menu.tsx'

type Named = { readonly name: string; readonly label: string }

export type ColumnsOf = {
  readonly columns: readonly Named[]
  readonly shown: readonly Named[]
  readonly onToggle: (name: string) => void
}

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

/** The button of the menu that shows or hides columns. */
export function ColumnChoice(of: ColumnsOf) {
  return (
    <LateMenu of={of} load={async () => (await import('./column-menu.tsx')).ColumnMenu}>
      <Button size="compact-xs" variant="subtle" aria-haspopup="menu">
        {m.columns()}
      </Button>
    </LateMenu>
  )
}

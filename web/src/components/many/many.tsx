import { Button, TextInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { IconSearch } from '../../ui/icons.tsx'
import { type Parts, useFound } from './in-parts.tsx'

/** Enter in the search box does not submit the form around it. */
function keepForm(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault()
}

/** A long list: a part of it, and a search for the others. */
export function Many<T>({ items, label, namesOf, count, children }: Parts<T>) {
  const { search, find, found, shown, next, more } = useFound(items, namesOf)
  return (
    <section
      style={{ display: 'flex', flexDirection: 'column', alignItems: 'flex-start', gap: 16 }}
      aria-label={label}
    >
      <TextInput
        type="search"
        w="min(320px, 100%)"
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        placeholder={m.search()}
        aria-label={m.search()}
        value={search}
        onKeyDown={keepForm}
        onChange={({ currentTarget: { value } }) => find(value)}
      />
      <p role="status" className="quiet">
        {found.length === 0 ? m.nothing_found() : count({ count: found.length })}
      </p>
      <div style={{ width: '100%', minWidth: 0 }}>{children(shown)}</div>
      {next > 0 && (
        <Button variant="default" onClick={more}>
          {m.auto_more({ count: next })}
        </Button>
      )}
    </section>
  )
}

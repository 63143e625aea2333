import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { IconSearch } from '../../ui/icons.tsx'
import classes from './resource-table.module.css'

/** Debounce: waits for the end of a word, so that not every letter is a call. */
const typingPause = 250

type SearchProps = {
  value: string
  onChange: (value: string) => void
  label?: string
  inputMode?: 'decimal'
  /** Whether the server is not asked for it, because it is none of what the label says. */
  isWrong?: boolean
}

/** A search box whose search runs on the server, for tables and for filters of a page. */
export function SearchBox({ value, onChange, label = m.search(), inputMode, isWrong }: SearchProps) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const [sent, setSent] = useState<string>()
  // Accepts outside resets; ignores the echo of our own change, because the person has typed on.
  if (value !== known) {
    setKnown(value)
    if (value !== sent) setText(value)
    setSent(undefined)
  }
  useEffect(() => {
    if (text.trim() === value) return
    const send = () => {
      setSent(text.trim())
      onChange(text.trim())
    }
    const timer = setTimeout(send, typingPause)
    return () => clearTimeout(timer)
  })
  return (
    <TextInput
      type="search"
      className={classes.search ?? ''}
      size="sm"
      value={text}
      maxLength={100}
      aria-label={label}
      placeholder={label}
      {...(inputMode && { inputMode })}
      error={isWrong ?? false}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}

import { Pill, PillsInput, type PillsInputProps } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { afterPress } from '../../ui/loading/press.ts'
import '../../ui/styles/chips.ts'
import { withTyped } from './chips.ts'

export type ChipsFieldProps = Omit<PillsInputProps, 'value' | 'onChange'> & {
  value?: readonly string[]
  onChange: (chips: string[]) => void
  /** Text that is not a chip yet; the form includes it on submit. */
  typed: string
  onTyped: (typed: string) => void
  name?: string
  inputMode?: 'email' | 'text'
}

/**
 * Texts as chips: a space, a comma, Enter or blur makes a chip of the typed text, and Backspace removes the
 * last one.
 */
export function ChipsField({
  value = [],
  onChange,
  typed,
  onTyped,
  name,
  inputMode,
  ...field
}: ChipsFieldProps) {
  const take = (text: string, rest = '') => {
    if (text.trim() !== '') onChange(withTyped(value, text))
    onTyped(rest)
  }
  const type = (text: string) => {
    const end = text.search(/[^,;\s]*$/)
    if (end > 0) take(text.slice(0, end), text.slice(end))
    else onTyped(text)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && typed !== '') {
      event.preventDefault()
      take(typed)
    }
    if (event.key === 'Backspace' && typed === '') onChange(value.slice(0, -1))
  }
  return (
    <PillsInput {...field}>
      <Pill.Group>
        {value.map((chip) => (
          <Pill
            key={chip}
            withRemoveButton={!field.disabled}
            onRemove={() => onChange(value.filter((other) => other !== chip))}
            removeButtonProps={{ 'aria-label': m.remove() }}
          >
            {chip}
          </Pill>
        ))}
        <PillsInput.Field
          name={name}
          inputMode={inputMode}
          value={typed}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={press}
          // A new chip may wrap to a new line and move the control that is being pressed.
          onBlur={() => afterPress(() => take(typed))}
        />
      </Pill.Group>
    </PillsInput>
  )
}

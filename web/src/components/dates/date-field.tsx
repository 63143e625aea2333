import { TextInput, type TextInputProps, UnstyledButton } from '@mantine/core'
import { type FocusEvent, useRef, useState } from 'react'
import { useLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { chunk } from '../../ui/loading/chunk.ts'
import { useLate } from '../../ui/loading/late.tsx'
import { afterPress } from '../../ui/loading/press.ts'
import { IconCalendar } from '../../ui/more-icons.tsx'
import { dayIn } from '../table/search-state.ts'
import { dayTyped, dayWritten, momentTyped, momentWritten, partsOf } from './typed.ts'

const example = '2026-11-21'

const kinds = {
  day: {
    read: dayTyped,
    write: dayWritten,
    hint: m.date_hint,
    fault: (language: string) => m.fault_date({ example: dayWritten(example, language) }),
  },
  moment: {
    read: momentTyped,
    write: momentWritten,
    hint: m.date_moment_hint,
    fault: (language: string) => m.fault_moment({ example: `${dayWritten(example, language)}, 14:30` }),
  },
}

/** The fault of a date field in words; undefined for a valid day and for an empty field. */
export const dateFault = (value: string, language: string): string | undefined =>
  value === '' || dayTyped(value, language) ? undefined : kinds.day.fault(language)

/** The fault of a date and time field in words. */
export const momentFault = (value: string, language: string): string | undefined =>
  partsOf(value) ? undefined : kinds.moment.fault(language)

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'label'> & {
  label?: string
  /** The value on the wire; empty for none. Invalid text is kept as typed, for the form to refuse. */
  value: string
  onChange: (value: string) => void
  /** The first day that the calendar offers; the form checks typed days. */
  min?: string
}

/** The visible text: the raw input until the field is left and the text was understood. */
function useTyped({ value, onChange }: Pick<Props, 'value' | 'onChange'>, kind: keyof typeof kinds) {
  const language = useLanguage()
  const { read, write, fault } = kinds[kind]
  const [typed, setTyped] = useState<{ text: string; left: boolean }>()
  const isClear = typed === undefined || typed.text.trim() === '' || read(typed.text, language) !== undefined
  return {
    text: typed?.text ?? write(value, language),
    fault: typed?.left && !isClear ? fault(language) : undefined,
    type: (text: string) => {
      setTyped({ text, left: false })
      onChange(read(text, language) ?? text.trim())
    },
    leave: () => setTyped(isClear ? undefined : { text: typed.text, left: true }),
    pick: (picked: string) => {
      setTyped(undefined)
      onChange(picked)
    },
  }
}

// Inline, because a style sheet would be part of the first load of every page that can link here.
const buttonStyle = { display: 'grid', placeItems: 'center', padding: 4, color: 'var(--text-quiet)' }

const load = async () => (await import('./picker.tsx')).Picker

function TypedField({ kind, value, onChange, min, onBlur, ...props }: Props & { kind: keyof typeof kinds }) {
  const { text, fault, type, leave, pick } = useTyped({ value, onChange }, kind)
  const [Picker, wake] = useLate(() => chunk(load))
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const name = props.label ?? props['aria-label'] ?? ''
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <TextInput
      autoComplete="off"
      placeholder={kinds[kind].hint()}
      {...props}
      error={fault ?? props.error}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={(event: FocusEvent<HTMLInputElement>) => {
        // A fault message takes space and would move the control that is being pressed.
        afterPress(leave)
        onBlur?.(event)
      }}
      // Enter does not blur a field.
      onKeyDown={(event) => event.key === 'Enter' && leave()}
      rightSectionPointerEvents="all"
      rightSection={
        <>
          <UnstyledButton
            ref={button}
            style={buttonStyle}
            disabled={props.disabled}
            aria-label={m.date_open({ label: name })}
            aria-haspopup="dialog"
            aria-expanded={open}
            onPointerEnter={wake}
            onFocus={wake}
            onClick={() => {
              wake()
              setOpen(!open)
            }}
          >
            <IconCalendar size={18} aria-hidden="true" />
          </UnstyledButton>
          {open && Picker && button.current && (
            <Picker
              of={button.current}
              label={name}
              withTime={kind === 'moment'}
              value={value}
              min={min}
              onPick={pick}
              onClose={close}
            />
          )}
        </>
      }
    />
  )
}

/** A day, typed or chosen from a calendar. */
export const DateField = (props: Props) => <TypedField kind="day" {...props} />

/** A day and time, typed or chosen in the reader's time zone; the value is the moment in UTC. */
export const MomentField = (props: Props) => <TypedField kind="moment" {...props} />

type Period = { from?: string | undefined; to?: string | undefined }

/** The first and the last day of a period, each optional. */
export const PeriodFields = ({ from, to, onChange }: Period & { onChange: (change: Period) => void }) => (
  <>
    <DateField
      size="sm"
      label={m.date_from()}
      value={from ?? ''}
      onChange={(value) => onChange({ from: dayIn(value) })}
    />
    <DateField
      size="sm"
      label={m.date_to()}
      value={to ?? ''}
      onChange={(value) => onChange({ to: dayIn(value) })}
    />
  </>
)

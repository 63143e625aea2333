import { TextInput, type TextInputProps, UnstyledButton } from '@mantine/core'
import { type FocusEvent, useRef, useState } from 'react'
import { useLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { chunk } from '../../ui/chunk.ts'
import { IconCalendar } from '../../ui/icons.tsx'
import { useLate } from '../../ui/late.tsx'
import { afterPress } from '../../ui/press.ts'
import { dayIn } from '../search-state.ts'
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

/** What is wrong with the value of a field, in words; nothing when it is a day, or empty. */
export const dateFault = (value: string, language: string): string | undefined =>
  value === '' || dayTyped(value, language) ? undefined : kinds.day.fault(language)

/** What is wrong with the value of a field that has to be a moment, in words. */
export const momentFault = (value: string, language: string): string | undefined =>
  partsOf(value) ? undefined : kinds.moment.fault(language)

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'label'> & {
  label?: string
  /** As the wire has it; empty for none. What was typed and is none stays as it was typed, for a form to refuse. */
  value: string
  onChange: (value: string) => void
  /** The first day that the calendar offers; whoever types is told by the form. */
  min?: string
}

/** What is seen of the value: what is being typed, until it is left and was understood. */
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

// Not in a file of its own, which would cost the first load of every page that could lead here.
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
        // A fault makes room for itself, and what one was about to press would move away.
        afterPress(leave)
        onBlur?.(event)
      }}
      // Enter leaves no field.
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

/** A day, typed or chosen from a calendar; with it, nobody has to know how a day is written. */
export const DateField = (props: Props) => <TypedField kind="day" {...props} />

/** A day and a time of it, typed or chosen in the reader's zone; the value is the moment in UTC. */
export const MomentField = (props: Props) => <TypedField kind="moment" {...props} />

type Period = { from?: string | undefined; to?: string | undefined }

/** The first and the last day of a period, each of which may be left open. */
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

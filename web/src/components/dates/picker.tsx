import { Button, Popover } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import { DatePicker, TimePicker } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import { firstDay, lastDay, pickers } from '@portico/contract/rules/pickers.ts'
import 'dayjs/locale/ro'
import { type KeyboardEvent, type RefCallback, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './picker.module.css'
import { dayAfterKey, within } from './steps.ts'
import { momentAt, partsOf, today } from './typed.ts'

/** The time of day while none is chosen. */
const defaultTime = '12:00:00'

/** Makes an element that exists already the anchor of a popover. */
function Anchor({ of, ref }: { of: HTMLElement; ref?: RefCallback<HTMLElement> }) {
  useLayoutEffect(() => void ref?.(of), [of, ref])
  return null
}

// Without it, the same Escape would close a surrounding dialog.
const innermost = { 'data-mantine-stop-propagation': true }

type DaysProps = { chosen: string | undefined; min: string | undefined; onChoose: (day: string) => void }

/** The days of a month, with keyboard navigation beyond its ends. */
function Days({ chosen, min, onChoose }: DaysProps) {
  const language = useLanguage()
  const grid = useRef<HTMLDivElement>(null)
  const [first] = useState(() => within(chosen ?? today(), min))
  const [shown, setShown] = useState(first)
  const go = (event: KeyboardEvent) => {
    const from = event.target instanceof HTMLElement ? event.target.dataset.day : undefined
    const to = from && dayAfterKey(event, from)
    if (!to) return
    event.preventDefault()
    event.stopPropagation()
    const day = within(to, min)
    // The day must be rendered before it can be focused.
    flushSync(() => setShown(day))
    grid.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus()
  }
  return (
    <DatePicker
      ref={grid}
      onKeyDownCapture={go}
      value={chosen ?? null}
      onChange={(day) => day && onChoose(day)}
      date={shown}
      onDateChange={setShown}
      minDate={min ?? firstDay}
      maxDate={lastDay}
      maxLevel="month"
      withNativeLevelSelect
      firstDayOfWeek={pickers.weekStart}
      locale={language}
      hideOutsideDates
      highlightToday
      enableKeyboardNavigation={false}
      __stopPropagation
      ariaLabels={{
        monthLevelControl: m.date_month(),
        previousMonth: m.date_previous(),
        nextMonth: m.date_next(),
      }}
      getDayProps={(day) => ({
        'data-day': day,
        'data-autofocus': day === first || undefined,
        'aria-pressed': day === chosen,
        'aria-current': day === today() ? 'date' : undefined,
      })}
      classNames={{
        day: classes.day ?? '',
        calendarHeaderControl: classes.control ?? '',
        calendarHeaderSelect: classes.select ?? '',
        weekday: classes.weekday ?? '',
      }}
    />
  )
}

type TimeProps = { value: string; onChange: (time: string) => void; onDone: () => void }

function Time({ value, onChange, onDone }: TimeProps) {
  return (
    <div className={classes.time}>
      <TimePicker
        label={m.date_time()}
        withSeconds
        minutesStep={pickers.minuteStep}
        secondsStep={pickers.secondStep}
        hoursInputLabel={m.date_hours()}
        minutesInputLabel={m.date_minutes()}
        secondsInputLabel={m.date_seconds()}
        hoursInputProps={innermost}
        minutesInputProps={innermost}
        secondsInputProps={innermost}
        value={value}
        // A partly empty time field has no value.
        onChange={(time) => time !== '' && onChange(time)}
      />
      <Button onClick={onDone} {...innermost}>
        {m.date_done()}
      </Button>
    </div>
  )
}

type Props = {
  /** The button that the popover is anchored to. */
  of: HTMLElement
  label: string
  withTime: boolean
  value: string
  min: string | undefined
  onPick: (value: string) => void
  onClose: () => void
}

/** The calendar of a field, with the time of day where the field has one. */
export function Picker({ of, label, withTime, value, min, onPick, onClose }: Props) {
  const moment = partsOf(value)
  const chosen = withTime ? moment?.day : /^\d{4}-\d\d-\d\d$/.exec(value)?.[0]
  const choose = (day: string) => {
    if (withTime) return onPick(momentAt(day, moment?.time ?? defaultTime))
    onPick(day)
    onClose()
  }
  return (
    <Popover
      opened
      onChange={(opened) => !opened && onClose()}
      position="bottom-end"
      offset={8}
      radius="md"
      shadow="md"
      trapFocus
      withRoles={false}
      transitionProps={{ duration: 100 }}
      // Rendered inside its context: a dialog traps the focus, and everything belongs into the main landmark.
      portalProps={{ target: of.closest<HTMLElement>('[role="dialog"], main') ?? document.body }}
    >
      <Popover.Target>
        <Anchor of={of} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-modal aria-label={label} className={classes.dropdown ?? ''}>
        <Days chosen={chosen} min={min} onChoose={choose} />
        {withTime && (
          <Time
            value={moment?.time ?? ''}
            onChange={(time) => onPick(momentAt(moment?.day ?? within(today(), min), time))}
            onDone={onClose}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

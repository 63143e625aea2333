import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { Row } from '../../api/rows.ts'
import type { Column } from '../../components/table/resource-table.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { Status, type Tone } from '../../ui/status.tsx'
import cells from '../e-factura/e-factura.module.css'
import { ClientLink } from '../lists/client-link.tsx'
import classes from '../lists/lists.module.css'
import { ClientVerbDialog } from '../verbs/client-verbs.tsx'

type Debt = Row<'desk-debts'>

const states: Readonly<Record<number, readonly [Tone, () => string]>> = {
  3: ['warn', m.desk_client_negative],
  4: ['bad', m.desk_client_warned],
  5: ['bad', m.desk_client_suspended],
  6: ['bad', m.desk_client_terminated],
}

const unevaluated: readonly [Tone, () => string] = ['idle', m.desk_dunning_new]

const steps: Readonly<Record<NonNullable<Debt['next_step']>, () => string>> = {
  negative: m.desk_client_negative,
  warned: m.desk_client_warned,
  suspended: m.desk_client_suspended,
  terminated: m.desk_client_terminated,
}

const Day = ({ on }: { on: string | null }) =>
  on !== null && <span className={classes.day}>{dayInWords(on, language())}</span>

/** The step that the debt has reached, and the hold. */
function Step({ row: { billing_status, dunning_hold_until: until } }: { row: Debt }) {
  const [tone, name] = states[billing_status] ?? unevaluated
  return (
    <div className={cells.cell}>
      <Status tone={tone}>{name()}</Status>
      {until !== null && <span>{m.desk_dunning_held({ day: dayInWords(until, language()) })}</span>}
    </div>
  )
}

function Next({ row: { next_step, next_on } }: { row: Debt }) {
  if (next_step === null) return m.desk_dunning_last_step()
  return (
    <div className={cells.cell}>
      <Day on={next_on} />
      <span>{steps[next_step]()}</span>
    </div>
  )
}

const verbs = { remind: m.desk_remind, holdDunning: m.desk_hold, endHold: m.desk_hold_end }

type Verb = keyof typeof verbs

function Verbs({ row: { client_id: id, client_name: name, dunning_hold_until: until, may } }: { row: Debt }) {
  const [open, setOpen] = useState<Verb>()
  const fitting: readonly Verb[] = ['remind', until === null ? 'holdDunning' : 'endHold']
  return (
    <Group gap={8}>
      {fitting
        .filter((verb) => may[verb])
        .map((verb) => (
          <Button key={verb} size="xs" variant="default" onClick={() => setOpen(verb)}>
            {verbs[verb]()}
          </Button>
        ))}
      {open && <ClientVerbDialog client={{ id, name }} name={open} onClose={() => setOpen(undefined)} />}
    </Group>
  )
}

/** The columns of the list of debts. */
export const debtColumns = (): Column<Debt>[] => [
  {
    name: 'client',
    label: m.desk_column_client(),
    cell: ({ client_id, client_name, email }) => (
      <ClientLink id={client_id} name={client_name} tab="money">
        {email}
      </ClientLink>
    ),
  },
  {
    name: 'owed',
    label: m.desk_column_debt(),
    sort: 'account_balance',
    number: true,
    cell: ({ owed, currency }) => money(owed, currency),
  },
  {
    name: 'since',
    label: m.desk_column_since(),
    sort: 'negative_since',
    cell: ({ owed_since }) => <Day on={owed_since} />,
  },
  { name: 'step', label: m.desk_column_step(), cell: (row) => <Step row={row} /> },
  { name: 'next', label: m.desk_column_next_step(), cell: (row) => <Next row={row} /> },
  {
    name: 'letter',
    label: m.desk_column_last_letter(),
    cell: ({ last_letter_on }) => <Day on={last_letter_on} />,
  },
  { name: 'verbs', label: m.desk_column_verbs(), wide: true, cell: (row) => <Verbs row={row} /> },
]

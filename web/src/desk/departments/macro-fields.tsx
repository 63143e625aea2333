import { Checkbox, NativeSelect } from '@mantine/core'
import { ticketPriorities } from '@portico/contract/rules/tickets/ticket-limits.ts'
import { useQuery } from '@tanstack/react-query'
import type { Row } from '../../api/rows.ts'
import { ChipsField } from '../../components/forms/chips-field.tsx'
import { priorities } from '../../components/tickets/priorities.ts'
import { departmentName } from '../../components/tickets/words.tsx'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/checkbox.ts'
import '../../ui/styles/combobox.ts'
import { departmentsQuery } from './words.ts'

/** The actions of a ready answer. `typed` is a tag that is not finished. */
export type MacroWish = {
  priority: (typeof ticketPriorities)[number] | null
  hold: boolean
  tags: string[]
  typed: string
  moveTo: number | null
}

/** The present actions of an answer; none for a new one. */
export const macroIn = (answer: Row<'canned-answers', 'moveTo'> | undefined): MacroWish => ({
  priority: answer?.priority ?? null,
  hold: answer?.hold ?? false,
  tags: answer?.tags ?? [],
  typed: '',
  moveTo: answer?.moveTo?.id ?? null,
})

type ChoiceProps = {
  label: string
  none: string
  value: number | null
  onChange: (value: number | null) => void
}

/** A department, or none of them. */
export function DepartmentChoice({ label, none, value, onChange }: ChoiceProps) {
  const departments = useQuery(departmentsQuery).data?.items ?? []
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      onChange={({ currentTarget: { value: id } }) => onChange(id === '' ? null : Number(id))}
    >
      <option value="">{none}</option>
      {departments
        .filter(({ id, closed }) => !closed || id === value)
        .map((one) => (
          <option key={one.id} value={one.id}>
            {departmentName(one)}
          </option>
        ))}
    </NativeSelect>
  )
}

type Props = { wish: MacroWish; change: (part: Partial<MacroWish>) => void }

/** The actions of a macro on the ticket. */
export function MacroFields({ wish, change }: Props) {
  return (
    <>
      <p className="quiet">{m.desk_answers_macro_lead()}</p>
      <NativeSelect
        label={m.ticket_priority()}
        value={wish.priority ?? ''}
        onChange={({ currentTarget: { value } }) =>
          change({ priority: ticketPriorities.find((one) => String(one) === value) ?? null })
        }
      >
        <option value="">{m.desk_answers_unchanged()}</option>
        {ticketPriorities.map((one) => (
          <option key={one} value={one}>
            {priorities[one]?.()}
          </option>
        ))}
      </NativeSelect>
      <ChipsField
        label={m.ticket_tags()}
        value={wish.tags}
        typed={wish.typed}
        onTyped={(typed) => change({ typed })}
        onChange={(tags) => change({ tags })}
      />
      <DepartmentChoice
        label={m.desk_answers_move()}
        none={m.desk_answers_stay()}
        value={wish.moveTo}
        onChange={(moveTo) => change({ moveTo })}
      />
      <Checkbox
        label={m.desk_answers_hold()}
        checked={wish.hold}
        onChange={({ currentTarget }) => change({ hold: currentTarget.checked })}
      />
    </>
  )
}

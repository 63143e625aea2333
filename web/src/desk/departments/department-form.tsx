import { Checkbox, TextInput } from '@mantine/core'
import { longestResponse } from '@portico/contract/resources/desk-departments.ts'
import { useState } from 'react'
import { asFailure } from '../../api/failure.ts'
import { useAction } from '../../api/write.ts'
import { amountIn } from '../../components/money/amount.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import type { Department } from './words.ts'
import '../../ui/styles/checkbox.ts'

type Wish = {
  code: string
  requires_billing: boolean
  name_en: string
  name_ro: string
  first: string
  resolve: string
  office_hours: boolean
}

const hour = 60

const hoursOf = (minutes: number): string => String(Math.round((minutes / hour) * 100) / 100)

/** Typed hours in minutes; undefined for anything else. */
function minutesIn(text: string): number | undefined {
  const hours = amountIn(text, { least: 0.02, most: longestResponse / hour })
  return hours === undefined ? undefined : Math.round(hours * hour)
}

/** The changeable part as the server takes it; undefined while a time is not one. */
function changedOf({ name_en, name_ro, first, resolve, office_hours }: Wish) {
  const [first_response_minutes, resolve_minutes] = [minutesIn(first), minutesIn(resolve)]
  if (first_response_minutes === undefined || resolve_minutes === undefined) return undefined
  return { name_en, name_ro, first_response_minutes, resolve_minutes, office_hours }
}

type FieldProps = { wish: Wish; change: (part: Partial<Wish>) => void }

const names = { name_en: m.desk_departments_name_en, name_ro: m.desk_departments_name_ro } as const
const times = { first: m.desk_departments_first, resolve: m.desk_departments_resolve } as const

function Fields({ wish, change }: FieldProps) {
  return (
    <>
      {(['name_en', 'name_ro'] as const).map((name) => (
        <TextInput
          key={name}
          label={names[name]()}
          required
          maxLength={60}
          value={wish[name]}
          onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
        />
      ))}
      {(['first', 'resolve'] as const).map((name) => (
        <TextInput
          key={name}
          label={times[name]()}
          required
          inputMode="decimal"
          pattern="\s*\d{1,3}([.,]\d{1,2})?\s*"
          value={wish[name]}
          onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
        />
      ))}
      <Checkbox
        label={m.desk_departments_office()}
        description={m.desk_departments_office_hint()}
        checked={wish.office_hours}
        onChange={({ currentTarget }) => change({ office_hours: currentTarget.checked })}
      />
    </>
  )
}

type Props = { onClose: () => void }

/** Adds a department. */
export function AddDepartment({ onClose }: Props) {
  const action = useAction('desk-departments', 'add')
  const [wish, setWish] = useState<Wish>({
    code: '',
    requires_billing: false,
    name_en: '',
    name_ro: '',
    first: '4',
    resolve: '24',
    office_hours: false,
  })
  const change = (part: Partial<Wish>) => setWish((last) => ({ ...last, ...part }))
  const confirm = (reason: string) => {
    const { code, requires_billing } = wish
    const changed = changedOf(wish)
    const onSuccess = () => {
      onClose()
      toast(m.desk_departments_done())
    }
    if (changed)
      action.mutate(
        { payload: { code, requires_billing, ...changed }, headers: because(reason) },
        { onSuccess },
      )
  }
  return (
    <VerbDialog
      title={m.desk_departments_add()}
      text={m.desk_departments_add_text()}
      verb={m.desk_departments_add()}
      action={action}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextInput
        label={m.desk_departments_code()}
        description={m.desk_departments_code_hint()}
        required
        pattern="[a-z][a-z0-9\-]{1,29}"
        maxLength={30}
        value={wish.code}
        error={action.error && asFailure(action.error).about('code')}
        onChange={({ currentTarget }) => change({ code: currentTarget.value })}
      />
      <Fields wish={wish} change={change} />
      <Checkbox
        label={m.desk_departments_billing()}
        description={m.desk_departments_billing_hint()}
        checked={wish.requires_billing}
        onChange={({ currentTarget }) => change({ requires_billing: currentTarget.checked })}
      />
    </VerbDialog>
  )
}

/** Changes the names and response times of a department. */
export function EditDepartment({ of, onClose }: Props & { of: Department }) {
  const action = useAction('desk-departments', 'edit')
  const [wish, setWish] = useState<Wish>({
    ...of,
    first: hoursOf(of.first_response_minutes),
    resolve: hoursOf(of.resolve_minutes),
  })
  const confirm = (reason: string) => {
    const changed = changedOf(wish)
    const onSuccess = () => {
      onClose()
      toast(m.desk_departments_done())
    }
    if (changed) action.mutate({ id: of.id, payload: changed, headers: because(reason) }, { onSuccess })
  }
  return (
    <VerbDialog
      title={`${m.desk_departments_edit()}: ${of.code}`}
      text={m.desk_departments_edit_text()}
      verb={m.save()}
      action={action}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Fields wish={wish} change={(part) => setWish((last) => ({ ...last, ...part }))} />
    </VerbDialog>
  )
}

import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { action as reading, wholeList } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { DateField } from '../../components/dates/date-field.tsx'
import { inLanguage, language } from '../../stores/language.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import type { Client } from '../client/words.tsx'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

type Of = { client: Client; panel: Row<'panels'>; onClose: () => void }

const inDays = (day: string) => dayInWords(day, language())

/** What the chosen plan would cost and from when, or why the panel cannot have it. */
function usePreview({ client, panel, plan }: Omit<Of, 'onClose'> & { plan: string }) {
  const payload = { panel_id: panel.id, plan }
  const query = reading('desk-clients', 'previewPlan', { id: client.id, payload })
  return useQuery({ ...query, enabled: plan !== '', retry: false })
}

function Preview({ data, error }: Pick<ReturnType<typeof usePreview>, 'data' | 'error'>) {
  if (error) return <p role="alert">{inWords(error)}</p>
  if (!data) return null
  const { currency, monthly, earliest, planned } = data
  const after = money(monthly.after, currency)
  return (
    <div>
      <p>
        {monthly.before === null
          ? m.desk_assign_price({ after })
          : m.desk_assign_prices({ before: money(monthly.before, currency), after })}
      </p>
      <p>{m.desk_assign_earliest({ day: inDays(earliest) })}</p>
      {planned && <p>{m.desk_assign_planned({ plan: planned.plan, day: inDays(planned.starts_on) })}</p>}
    </div>
  )
}

/** Gives a panel a plan from a day on. */
export function AssignPlan({ client, panel, onClose }: Of) {
  const action = useAction('desk-clients', 'assignPlan')
  const { data: plans } = useQuery(wholeList('plans'))
  const [plan, setPlan] = useState('')
  const [from, setFrom] = useState('')
  const { data, error } = usePreview({ client, panel, plan })
  const day = from || (data?.earliest ?? '')
  const confirm = (reason: string) => {
    if (!data) return
    const expects = { monthly: data.monthly.after, currency: data.currency }
    const payload = { panel_id: panel.id, plan, from: day, expects }
    const onSuccess = () => {
      onClose()
      toast(m.desk_assign_done())
    }
    action.mutate({ id: client.id, payload, headers: because(reason) }, { onSuccess })
  }
  return (
    <VerbDialog
      isRead
      title={m.desk_assign_title({ name: panel.name })}
      text={m.desk_assign_text()}
      verb={m.desk_assign_verb()}
      disabled={!data}
      action={action}
      onConfirm={confirm}
      onClose={onClose}
    >
      <NativeSelect
        label={m.desk_assign_plan()}
        required
        value={plan}
        data={[
          { value: '', label: '–' },
          ...(plans?.items ?? [])
            .filter(({ state }) => state === 'offered')
            .map(({ code, name_en, name_ro }) => ({ value: code, label: inLanguage(name_en, name_ro) })),
        ]}
        onChange={({ currentTarget }) => {
          setPlan(currentTarget.value)
          setFrom('')
        }}
      />
      <Preview data={data} error={error} />
      {data && <DateField label={m.desk_list_from()} required value={day} onChange={setFrom} />}
    </VerbDialog>
  )
}

import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Failure } from '../../api/failure.ts'
import { list } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { aboutInWords } from '../../components/notifications/alert-words.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'

const staffQuery = list('admins', { sort: 'display_name', page: { size: 100 } })
const refused = { onError: (error: Failure) => toast(m.ticket_not_done(), inWords(error), 'bad') }

/** Gives an open alert to a member of staff; of a resolved one it says who had it. */
export function Assigned({ alert }: { alert: Row<'staff-alerts'> }) {
  const { id, about, assigned_admin_id, resolved_at, may } = alert
  const { data } = useQuery(staffQuery)
  const assign = useAction('staff-alerts', 'assign')
  if (resolved_at !== null || !may.assign)
    return data?.items.find((one) => one.id === assigned_admin_id)?.display_name ?? '–'
  return (
    <NativeSelect
      size="xs"
      aria-label={m.desk_alert_assign({ about: aboutInWords(about) })}
      disabled={assign.isPending || !data}
      value={data ? (assigned_admin_id ?? '') : ''}
      onChange={({ currentTarget: { value } }) =>
        assign.mutate({ id, payload: { admin_id: value === '' ? null : Number(value) } }, refused)
      }
    >
      <option value="">{m.ticket_nobody()}</option>
      {data?.items.map((one) => (
        <option key={one.id} value={one.id}>
          {one.display_name}
        </option>
      ))}
    </NativeSelect>
  )
}

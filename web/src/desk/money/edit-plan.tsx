import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { action as reading, wholeList } from '../../api/query.ts'
import { useAction } from '../../api/write.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { m } from '../../texts/compiled/messages.js'
import { NotFound } from '../layout/message.tsx'
import { PlanFields } from '../plan-form/plan-form.tsx'
import { because } from '../verbs/verb-dialog.tsx'

/** Changes a plan that is not offered yet. */
export default function EditPlanScreen() {
  const { code = '' }: { code?: string } = useParams({ strict: false })
  const query = useQuery(reading('desk-plans', 'draft', { payload: { code } }))
  const plans = useQuery(wholeList('desk-plans'))
  const edit = useAction('desk-plans', 'editDraft')
  const row = plans.data?.items.find((plan) => plan.code === code)
  if (plans.data && row?.state !== 'draft') return <NotFound />
  return (
    <>
      <PageHead title={m.desk_plan_edit_title()} lead={m.desk_plan_edit_lead()} />
      <Loaded query={query} rows={8}>
        {(choices) =>
          row &&
          choices.plan && (
            <PlanFields
              name={`desk-plan-edit-${code}`}
              plan={choices.plan}
              choices={choices}
              save={({ code: _, ...payload }, reason) =>
                edit.mutateAsync({ id: row.id, payload, headers: because(reason) })
              }
            />
          )
        }
      </Loaded>
    </>
  )
}

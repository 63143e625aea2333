import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { list, action as reading } from '../../api/query.ts'
import { useAction } from '../../api/write.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { m } from '../../texts/compiled/messages.js'
import { PlanFields } from '../plan-form/plan-form.tsx'
import { type Choices, emptyPlan } from '../plan-form/plan-values.ts'
import { because } from '../verbs/verb-dialog.tsx'

/** A copy has everything but the code, by which plans are told apart. */
const startOf = (choices: Choices) => (choices.plan ? { ...choices.plan, code: '' } : emptyPlan(choices))

/** Adds a plan as a draft: from nothing, from the example, or as a copy of another. */
export default function AddPlanScreen() {
  const { from }: { from?: string } = useParams({ strict: false })
  const query = useQuery(
    reading('desk-plans', 'draft', { payload: from === undefined ? {} : { code: from } }),
  )
  const plans = useQuery(list('desk-plans', { page: { size: 1 } }))
  const add = useAction('desk-plans', 'addDraft')
  return (
    <>
      <PageHead title={m.desk_plan_add()} lead={m.desk_plan_add_lead()} />
      <Loaded query={plans} rows={8}>
        {({ page }) => (
          <Loaded query={query} rows={8}>
            {(choices) => (
              <PlanFields
                key={from}
                name={`desk-plan-add-${from ?? ''}`}
                plan={startOf(choices)}
                choices={choices}
                isNew
                isFirst={page.total === 0}
                save={(payload, reason) => add.mutateAsync({ payload, headers: because(reason) })}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </>
  )
}

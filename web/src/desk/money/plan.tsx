import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useUser } from '../../api/queries/user.ts'
import { action as reading, wholeList } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { planDescription, planName } from '../../components/plans/words.ts'
import { m } from '../../texts/compiled/messages.js'
import { NotFound } from '../layout/message.tsx'
import { AfterOffer } from '../plans/after-offer.tsx'
import { DeleteDraft } from '../plans/delete-draft.tsx'
import { OfferPlan } from '../plans/offer-plan.tsx'
import { PlanFacts } from '../plans/plan-facts.tsx'
import classes from '../plans/plans.module.css'
import { deskHref } from '../routes.ts'

function Actions({ plan }: { plan: Row<'desk-plans'> }) {
  const { code, state } = plan
  return (
    <>
      {state === 'draft' && (
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to={deskHref('edit-plan', { code })} />}
        >
          {m.desk_plan_edit()}
        </Button>
      )}
      <Button
        variant="default"
        renderRoot={(props) => <Link {...props} to={deskHref('add-plan', { from: code })} />}
      >
        {m.desk_plan_copy()}
      </Button>
      {state === 'draft' && <DeleteDraft plan={plan} />}
    </>
  )
}

/** One plan: what it is, and how a draft becomes an offer. */
export default function PlanScreen() {
  const { code = '' }: { code?: string } = useParams({ strict: false })
  const { staff } = useUser()
  const plans = useQuery(wholeList('desk-plans'))
  const query = useQuery(reading('desk-plans', 'draft', { payload: { code } }))
  const row = plans.data?.items.find((plan) => plan.code === code)
  if (plans.data && !row) return <NotFound />
  const mayWrite = staff?.role !== 'readonly'
  const plan = query.data?.plan
  return (
    <>
      <PageHead
        eyebrow={m.desk_plan_title()}
        title={row ? planName(row) : code}
        lead={(plan && planDescription(plan)) || undefined}
      >
        {row && mayWrite && <Actions plan={row} />}
      </PageHead>
      <div className={classes.page}>
        {row?.state === 'draft' && mayWrite && <OfferPlan code={code} />}
        <Loaded query={query} rows={6}>
          {(choices) =>
            row && choices.plan && <PlanFacts plan={choices.plan} choices={choices} state={row.state} />
          }
        </Loaded>
        {row?.state === 'offered' && <AfterOffer />}
      </div>
    </>
  )
}

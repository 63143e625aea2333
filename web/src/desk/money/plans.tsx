import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useUser } from '../../api/queries/user.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { m } from '../../texts/compiled/messages.js'
import { focusSection } from '../../ui/section.tsx'
import { DownloadPlans, PlansEditor } from '../plans/editor.tsx'
import { OfferedPlans } from '../plans/offered.tsx'
import classes from '../plans/plans.module.css'
import { PriceTimes } from '../plans/prices.tsx'
import { deskHref } from '../routes.ts'

/** Plans and prices: what there is, and the file that changes it. */
export default function PlansScreen() {
  const { staff } = useUser()
  const [draft, setDraft] = useState('')
  const mayPublish = staff?.role !== 'readonly'
  const takeDraft = (text: string) => {
    setDraft(text)
    focusSection('draft')
    document.getElementById('draft')?.scrollIntoView({ block: 'start' })
  }
  return (
    <>
      <PageHead title={m.desk_plans_title()} lead={m.desk_plans_lead()}>
        <DownloadPlans />
        {mayPublish && (
          <Button renderRoot={(props) => <Link {...props} to={deskHref('add-plan')} />}>
            {m.desk_plan_add()}
          </Button>
        )}
      </PageHead>
      <div className={classes.page}>
        <OfferedPlans />
        <PriceTimes draft={draft} onDraft={mayPublish ? takeDraft : undefined} />
        {mayPublish && <PlansEditor text={draft} onText={setDraft} />}
      </div>
    </>
  )
}

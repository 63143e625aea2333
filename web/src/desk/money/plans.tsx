import { useUser } from '../../api/queries/user.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { m } from '../../texts/compiled/messages.js'
import { DownloadPlans, PlansEditor } from '../plans/editor.tsx'
import { OfferedPlans } from '../plans/offered.tsx'
import classes from '../plans/plans.module.css'

/** Plans and prices: what there is, and the file that changes it. */
export default function PlansScreen() {
  const { staff } = useUser()
  return (
    <>
      <PageHead title={m.desk_plans_title()} lead={m.desk_plans_lead()}>
        <DownloadPlans />
      </PageHead>
      <div className={classes.page}>
        <OfferedPlans />
        {staff?.role !== 'readonly' && <PlansEditor />}
      </div>
    </>
  )
}

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { billingOf } from '../../api/queries/billing.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Pending } from '../../components/loaded.tsx'
import { AccountChoice, useAccount } from '../../components/money/account.tsx'
import { idIn, useSearchState } from '../../components/table/search-state.ts'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { Bone } from '../../ui/loading/bones.tsx'
import { Automatic } from './automatic/automatic.tsx'
import classes from './billing.module.css'
import { Cards } from './cards.tsx'
import { Invoices } from './invoices.tsx'
import { Payments } from './payments.tsx'
import { BalanceFigures } from './runway/balance-figures.tsx'
import { DailyUse } from './runway/daily-use.tsx'
import { Runway } from './runway/runway.tsx'
import { Timeline } from './runway/timeline.tsx'

/** Polls every so many milliseconds, because usage arrives all the time. */
const pollEvery = 30_000

function Waiting() {
  return (
    <div className={classes.page} aria-hidden="true">
      <div className={`card ${classes.figures}`} />
      <div className={classes.columns}>
        <div className="card">
          <Bone height={320} />
        </div>
        <div className="card" />
      </div>
    </div>
  )
}

/** Balance, runway, documents and spending. */
export default function BillingScreen() {
  const account = useAccount()
  const { panel_id }: { panel_id?: string } = useParams({ strict: false })
  const [{ invoice }] = useSearchState()
  const query = useQuery({ ...billingOf(account), refetchInterval: pollEvery })
  const profile = query.data?.items[0]
  return (
    <>
      <PageHead title={m.billing_title()} lead={m.billing_page_lead()}>
        <AccountChoice />
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to={href('billing-log')} search={{ account }} />}
        >
          {m.billing_log_title()}
        </Button>
        <Button component={Link} to={href('payment')}>
          {m.payment_title()}
        </Button>
      </PageHead>
      {!profile && (
        <Pending query={query}>
          <Waiting />
        </Pending>
      )}
      {profile && (
        <div className={classes.page}>
          <BalanceFigures profile={profile} />
          <div className={classes.columns}>
            <Runway key={profile.id} profile={profile} />
            <Timeline profile={profile} />
          </div>
          <DailyUse profile={profile} preset={idIn(panel_id)} />
          <Automatic key={`automatic ${profile.id}`} profile={profile} />
          <Cards profile={profile} />
          <Payments key={`payments ${profile.id}`} />
          {/** A link to another document starts another search. */}
          <Invoices
            key={`invoices ${profile.id} ${String(invoice)}`}
            profile={profile}
            preset={idIn(panel_id)}
          />
        </div>
      )}
    </>
  )
}

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { type Billing, billingOf } from '../../api/queries/billing.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Pending } from '../../components/loaded.tsx'
import { AccountChoice, useAccount } from '../../components/money/account.tsx'
import { idIn, useSearchState } from '../../components/table/search-state.ts'
import { PageTabs } from '../../components/tabs/page-tabs.tsx'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { Bone } from '../../ui/loading/bones.tsx'
import { lazily } from '../../ui/loading/lazily.ts'
import { Accounts } from './accounts.tsx'
import { Automatic } from './automatic/automatic.tsx'
import classes from './billing.module.css'
import { Cards } from './cards.tsx'
import { BalanceFigures } from './runway/balance-figures.tsx'
import { DailyUse } from './runway/daily-use.tsx'
import { Runway } from './runway/runway.tsx'
import { Timeline } from './runway/timeline.tsx'
import { useTopUps } from './runway/top-ups.ts'

// The tabs that are not open at first.
const ByTransfer = lazily(async () => (await import('./by-transfer.tsx')).ByTransfer)
const Invoices = lazily(async () => (await import('./invoices.tsx')).Invoices)
const Payments = lazily(async () => (await import('./payments.tsx')).Payments)

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

const WaitingList = () => (
  <div className="card" aria-hidden="true">
    <Bone height={320} />
  </div>
)

type PartProps = { profile: Billing; preset: number | undefined }

function Overview({ profile, preset }: PartProps) {
  const { topUps, isPending } = useTopUps(profile)
  if (isPending) return <Waiting />
  return (
    <div className={classes.page}>
      <BalanceFigures profile={profile} topUps={topUps} />
      <div className={topUps ? classes.page : classes.columns}>
        <Runway key={profile.id} profile={profile} topUps={topUps} />
        {!topUps && <Timeline profile={profile} />}
      </div>
      <DailyUse profile={profile} preset={preset} />
    </div>
  )
}

function Methods({ profile }: { profile: Billing }) {
  return (
    <div className={classes.page}>
      <Automatic key={profile.id} profile={profile} />
      <Cards profile={profile} />
      <Suspense>
        <ByTransfer key={profile.id} profile={profile} />
      </Suspense>
    </div>
  )
}

/** The four parts of the page, each in a tab. */
function Parts({ profile, preset }: PartProps) {
  const [{ invoice }] = useSearchState()
  return (
    <PageTabs
      label={m.billing_title()}
      // A link to a document names the document alone.
      {...(invoice !== undefined && { preset: 'invoices' })}
      tabs={[
        {
          name: 'overview',
          label: m.billing_overview(),
          content: <Overview profile={profile} preset={preset} />,
        },
        { name: 'methods', label: m.billing_methods(), content: <Methods profile={profile} /> },
        {
          name: 'payments',
          label: m.payments_title(),
          content: (
            <Suspense fallback={<WaitingList />}>
              <Payments key={profile.id} />
            </Suspense>
          ),
        },
        {
          name: 'invoices',
          label: m.invoices_title(),
          // A link to another document starts another search.
          content: (
            <Suspense fallback={<WaitingList />}>
              <Invoices key={`${profile.id} ${String(invoice)}`} profile={profile} preset={preset} />
            </Suspense>
          ),
        },
      ]}
    />
  )
}

/** Balance, runway, documents and spending. */
export default function BillingScreen() {
  const account = useAccount()
  const { panel_id }: { panel_id?: string } = useParams({ strict: false })
  const [{ tab, invoice }] = useSearchState()
  const isList = tab === 'payments' || tab === 'invoices' || (tab === undefined && invoice !== undefined)
  const query = useQuery({ ...billingOf(account), refetchInterval: pollEvery })
  const profile = query.data?.items[0]
  return (
    <>
      <PageHead title={m.billing_title()}>
        <AccountChoice withAll={isList} />
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to={href('billing-log')} search={{ account }} />}
        >
          {m.billing_log_title()}
        </Button>
        <Button renderRoot={(props) => <Link {...props} to={href('payment')} search={{ account }} />}>
          {m.payment_title()}
        </Button>
      </PageHead>
      {!profile && (
        <div className={query.isError ? 'card' : undefined}>
          <Pending query={query}>
            <Waiting />
          </Pending>
        </div>
      )}
      <div className={classes.accounts}>
        <Accounts />
      </div>
      {profile && <Parts profile={profile} preset={idIn(panel_id)} />}
    </>
  )
}

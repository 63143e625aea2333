import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useUser } from '../../api/queries/user.ts'
import { list } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { When } from '../../components/when.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconCheck } from '../../ui/icons.tsx'
import { Section, SectionBody } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { LedgerCheck } from '../checks/ledger.tsx'
import { OtherChecks, Steps } from '../checks/steps.tsx'
import { type Check, subjectOf } from '../checks/words.ts'
import classes from '../company/company.module.css'

const pollMs = 1000

/** The results, and a new run of which the page waits for the results. */
function useChecks() {
  // Since when the page waits for results; a run that began earlier may still end meanwhile.
  const [since, setSince] = useState<string>()
  const isWaiting = (items: readonly Check[] = []): boolean =>
    since !== undefined && !items.some(({ checked_at }) => Date.parse(checked_at) >= Date.parse(since))
  const query = useQuery({
    ...list('desk-checks', { page: { number: 1, size: 100 } }),
    refetchInterval: ({ state }) => (isWaiting(state.data?.items) ? pollMs : false),
  })
  const action = useAction('desk-checks', 'run')
  const run = () =>
    action.mutate(
      { payload: {} },
      {
        onSuccess: ({ queued_at }) => setSince(queued_at),
        onError: (error) => toast(inWords(error), undefined, 'bad'),
      },
    )
  return { query, run, isRunning: action.isPending || isWaiting(query.data?.items) }
}

const freshMs = 10_000

/** Whether something stops the portal, which the person may have mended since on another page. */
const mayBeMended = (checks: readonly Check[] = []): boolean =>
  checks.some(({ state, checked_at }) => state === 'stop' && Date.now() - Date.parse(checked_at) > freshMs)

function Verdict({ checks }: { checks: readonly Check[] }) {
  const stops = checks.filter(({ state }) => state === 'stop')
  const names = [...new Set(stops.map(({ about }) => subjectOf(about)))].join(', ')
  const isReady = stops.length === 0
  return (
    <Section
      id="verdict"
      title={isReady ? m.desk_checks_ready() : m.desk_checks_not_ready()}
      aside={
        <Status tone={isReady ? 'good' : 'bad'}>
          {isReady ? m.desk_checks_good() : m.desk_checks_stop()}
        </Status>
      }
    >
      <SectionBody>
        <p>{isReady ? m.desk_checks_ready_text() : m.desk_checks_not_ready_text({ names })}</p>
      </SectionBody>
    </Section>
  )
}

/** The set-up of the portal, and everything that it depends on. */
export default function ChecksScreen() {
  const { query, run, isRunning } = useChecks()
  const { staff } = useUser()
  const isOld = staff?.role === 'admin' && mayBeMended(query.data?.items)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page shows results that may be mended.
  useEffect(() => {
    if (isOld) run()
  }, [isOld])
  return (
    <>
      <PageHead title={m.desk_checks_title()} lead={m.desk_checks_lead()}>
        {staff?.role === 'admin' && (
          <Button variant="default" loading={isRunning} onClick={run}>
            {m.desk_checks_run()}
          </Button>
        )}
      </PageHead>
      <div className={classes.page}>
        <Loaded query={query} rows={8}>
          {({ items }) =>
            items[0] === undefined ? (
              <Empty
                icon={<IconCheck size={20} />}
                title={m.desk_checks_none_title()}
                text={m.desk_checks_none_text()}
              />
            ) : (
              <div className={classes.page}>
                <Verdict checks={items} />
                <Steps checks={items} />
                <OtherChecks checks={items} />
                <p className="quiet">
                  {m.desk_checks_when()} <When moment={items[0].checked_at} />
                </p>
              </div>
            )
          }
        </Loaded>
        <LedgerCheck />
      </div>
    </>
  )
}

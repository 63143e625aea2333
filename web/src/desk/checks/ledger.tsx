import { Button } from '@mantine/core'
import type { ledgerComparisons } from '@portico/contract/resources/ledger-checks.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useUser } from '../../api/queries/user.ts'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody, SectionFoot, SectionList, SectionRow } from '../../ui/section.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

type Check = Row<'ledger-checks'>
type Comparison = (typeof ledgerComparisons)[number]

const comparisons: Readonly<Record<Comparison, () => string>> = {
  'sum of a transaction': m.desk_ledger_transaction,
  'balance of an account': m.desk_ledger_account,
  'balance after an entry': m.desk_ledger_entry,
  'what a client holds': m.desk_ledger_client,
  'since when a client is below zero': m.desk_ledger_since,
  'charges of a day': m.desk_ledger_day,
  'posting of a charge': m.desk_ledger_charge,
  'billing log': m.desk_ledger_log,
}

/** The state of a verification, and its tone. */
function stateOf({ status, differences }: Check): { tone: Tone; name: string } {
  if (status === 'waiting') return { tone: 'idle', name: m.desk_ledger_running() }
  if (status === 'failed') return { tone: 'bad', name: m.desk_ledger_failed() }
  return differences === 0
    ? { tone: 'good', name: m.desk_ledger_agrees() }
    : { tone: 'bad', name: m.desk_ledger_differs() }
}

function Found({ check }: { check: Check }) {
  return (
    <SectionList label={m.desk_ledger_differences({ differences: check.differences ?? 0 })}>
      {check.found.map(({ what, place, found, expected }) => (
        <SectionRow
          key={`${what} ${place}`}
          title={comparisons[what]()}
          text={
            <>
              <code>{place}</code>
              <br />
              {m.desk_ledger_stored()} <code>{found ?? '–'}</code>
              <br />
              {m.desk_ledger_computed()} <code>{expected ?? '–'}</code>
            </>
          }
        />
      ))}
    </SectionList>
  )
}

function Outcome({ check }: { check: Check }) {
  const { status, differences, asked_by: by, finished_at: at, found } = check
  return (
    <>
      <SectionBody>
        {status === 'done' && <p>{m.desk_ledger_differences({ differences: differences ?? 0 })}</p>}
        {status === 'failed' && <p>{m.desk_ledger_failed_text()}</p>}
        {at && (
          <p className="quiet">
            <span>{by ?? m.desk_ledger_by_night()}</span> <When moment={at} />
          </p>
        )}
      </SectionBody>
      {found.length > 0 && <Found check={check} />}
    </>
  )
}

function Verify({ onClose }: { onClose: () => void }) {
  const action = useAction('ledger-checks', 'verifyLedger')
  return (
    <VerbDialog
      title={m.desk_ledger_title()}
      text={m.desk_ledger_text()}
      verb={m.desk_ledger_verb()}
      action={action}
      onConfirm={(reason) => action.mutate({ payload: {}, headers: because(reason) }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

const pollMs = 1000

/** The last verification of the ledger, and a new one. */
export function LedgerCheck() {
  const { staff } = useUser()
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery({
    ...list('ledger-checks', { sort: '-createdAt', page: { number: 1, size: 1 } }),
    refetchInterval: ({ state }) => (state.data?.items[0]?.status === 'waiting' ? pollMs : false),
  })
  if (!data) return null
  const [last] = data.items
  const state = last && stateOf(last)
  return (
    <Section
      id="ledger"
      title={m.desk_ledger()}
      lead={m.desk_ledger_lead()}
      aside={state && <Status tone={state.tone}>{state.name}</Status>}
    >
      {last ? (
        <Outcome check={last} />
      ) : (
        <SectionBody>
          <p>{m.desk_ledger_never()}</p>
        </SectionBody>
      )}
      {staff?.role === 'admin' && (
        <SectionFoot>
          <Button variant="default" disabled={last?.status === 'waiting'} onClick={() => setOpen(true)}>
            {m.desk_ledger_verify()}
          </Button>
        </SectionFoot>
      )}
      {isOpen && <Verify onClose={() => setOpen(false)} />}
    </Section>
  )
}

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ActionOf, Output } from '../../api/actions.ts'
import { useUser } from '../../api/queries/user.ts'
import { action } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { language } from '../../stores/language.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Empty } from '../../ui/empty.tsx'
import { money } from '../../ui/format.ts'
import { IconReceipt } from '../../ui/icons.tsx'
import { Section, SectionFoot, SectionList, SectionRow } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { useRows } from '../lists/use-rows.ts'
import classes from '../plans/plans.module.css'
import { providerName } from '../reports/cells.tsx'
import { because } from '../verbs/verb-dialog.tsx'

type Day = Row<'provider-days'>
type Account = Output<ActionOf<'provider-days', 'latest'>>['accounts'][number]

const accountName = ({ provider, currency }: { provider: string; currency: string }): string =>
  `${providerName({ provider })} ${currency}`

const amountOf = (name: 'paid_out' | 'held' | 'expected' | 'difference', label: string): Column<Day> => ({
  name,
  label,
  number: true,
  cell: (row) => money(row[name], row.currency),
})

const columns = (): Column<Day>[] => [
  { name: 'day', label: m.column_date(), sort: 'day', cell: ({ day }) => dayInWords(day, language()) },
  { name: 'account', label: m.desk_payouts_account(), cell: accountName },
  amountOf('paid_out', m.desk_payouts_paid_out()),
  amountOf('held', m.desk_payouts_held()),
  amountOf('expected', m.desk_payouts_expected()),
  amountOf('difference', m.desk_payouts_difference()),
]

/** Whether the last comparison of an account adds up, in a sentence. */
function sentenceOf({ currency, held, difference, disputed, since, day }: Account): string {
  const amount = money(Math.abs(difference), currency)
  if (since === null)
    return m.desk_payouts_right({ held: money(held, currency), day: dayInWords(day, language()) })
  if (difference === -disputed) return m.desk_payouts_disputed({ amount })
  const facts = { amount, day: dayInWords(since, language()) }
  return difference < 0 ? m.desk_payouts_less(facts) : m.desk_payouts_more(facts)
}

const isRight = ({ difference, disputed }: Account): boolean => difference === 0 || difference === -disputed

/** Asks the provider now, instead of at night. */
function CompareNow() {
  const comparing = useAction('provider-days', 'compareNow')
  const compare = () =>
    comparing.mutate(
      { payload: {}, headers: because(m.desk_payouts_compare_reason()) },
      {
        onSuccess: () => toast(m.desk_payouts_compare_done()),
        onError: (error) => toast(inWords(error), undefined, 'bad'),
      },
    )
  return (
    <SectionFoot>
      <Button variant="default" loading={comparing.isPending} onClick={compare}>
        {m.desk_payouts_compare()}
      </Button>
    </SectionFoot>
  )
}

/** Whether each account adds up. */
function Accounts() {
  const { staff } = useUser()
  const { data } = useQuery(action('provider-days', 'latest', { payload: {} }))
  if (!data) return null
  return (
    <Section id="accounts" title={m.desk_payouts()} lead={m.desk_payouts_lead()}>
      {data.accounts.length > 0 && (
        <SectionList label={m.desk_payouts()}>
          {data.accounts.map((account) => (
            <SectionRow key={accountName(account)} title={accountName(account)} text={sentenceOf(account)}>
              <Status tone={isRight(account) ? 'good' : 'bad'}>
                {isRight(account) ? m.desk_payouts_adds_up() : m.desk_payouts_differs()}
              </Status>
            </SectionRow>
          ))}
        </SectionList>
      )}
      {(staff?.role === 'billing' || staff?.role === 'admin') && <CompareNow />}
    </Section>
  )
}

/** A table with a line for each day: what the payment provider paid out, what it holds, and what it should hold by the ledger. */
export function Payouts() {
  const rows = useRows('provider-days', { order: '-day', sorts: ['day'] })
  return (
    <div className={classes.page}>
      <Accounts />
      <ResourceTable
        caption={m.desk_payouts()}
        columns={columns()}
        {...rows}
        empty={
          <Empty
            icon={<IconReceipt size={20} />}
            title={m.desk_payouts_none()}
            text={m.desk_payouts_none_text()}
          />
        }
        tools={<span />}
      />
    </div>
  )
}

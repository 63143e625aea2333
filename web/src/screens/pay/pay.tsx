import { Button, NativeSelect } from '@mantine/core'
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { billingOf } from '../../api/queries/billing.ts'
import { useUser } from '../../api/queries/user.ts'
import { action, list, one } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { Pending } from '../../components/loaded.tsx'
import { AccountChoice, useAccount } from '../../components/money/account.tsx'
import { Deposit } from '../../components/pay/deposit.tsx'
import { owedBy } from '../../components/pay/owed.ts'
import pay from '../../components/pay/pay.module.css'
import { PayPart } from '../../components/pay/pay-part.tsx'
import { idIn } from '../../components/table/search-state.ts'
import { BankDetails } from '../../components/transfer/bank-details.tsx'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords, monthOf } from '../../ui/days.ts'
import { Empty } from '../../ui/empty.tsx'
import { money } from '../../ui/format.ts'
import { IconReceipt } from '../../ui/icons.tsx'
import { Bone } from '../../ui/loading/bones.tsx'
import { Section, SectionBody } from '../../ui/section.tsx'

/** The states of an invoice that is not fully paid. */
const open = ['overdue', 'partially_paid', 'unpaid'] as const

/** The unpaid service bills of an account, oldest first. */
function useOpenBills(client_id: number | undefined) {
  return useQueries({
    queries: open.map((status) =>
      list('invoices', { filter: { client_id, kind: 'fiscal', status }, sort: 'issue_date' }),
    ),
    combine: (answers) => ({
      error: answers.find(({ error }) => error)?.error,
      retry: () => void Promise.all(answers.map(({ refetch }) => refetch())),
      bills: answers.every(({ data }) => data)
        ? answers
            .flatMap(({ data }) => data?.items ?? [])
            .filter(({ reason, open }) => reason !== 'advance' && open > 0)
            .toSorted((a, b) => a.due_date.localeCompare(b.due_date) || a.id - b.id)
        : undefined,
    }),
  })
}

type Bills = NonNullable<ReturnType<typeof useOpenBills>['bills']>

type OpenBillsProps = { bills: Bills; account: number | undefined; use: Row<'usages'> | undefined }

/**
 * One bill at a time, the one for the usage in the address first: each is paid as a whole, with its own VAT.
 */
function OpenBills({ bills, account, use }: OpenBillsProps) {
  const [chosen, setChosen] = useState<number>()
  const { id } = useUser()
  const { data: sum } = useQuery(
    action('invoices', 'getServiceBillsSum', { payload: { client_id: account ?? id } }),
  )
  const bill = bills.find((one) => one.id === (chosen ?? use?.service_bill_id)) ?? bills[0]
  const currency = bill?.currency
  return (
    <Section
      id="bills"
      title={m.pay_owed()}
      lead={
        sum === undefined || currency === undefined
          ? undefined
          : m.pay_owed_sum({ amount: money(sum, currency) })
      }
    >
      <SectionBody>
        <NativeSelect
          label={m.pay_bill()}
          value={bill?.id}
          onChange={({ currentTarget: { value } }) => setChosen(Number(value))}
        >
          {bills.map((one) => (
            <option key={one.id} value={one.id}>
              {m.pay_bill_one({
                number: one.full_number,
                amount: money(one.open, one.currency),
                date: dayInWords(one.due_date, language()),
              })}
            </option>
          ))}
        </NativeSelect>
        {bill?.bank_details && (
          <div>
            <BankDetails details={bill.bank_details} open={bill.open} currency={bill.currency} />
          </div>
        )}
        {bill?.period_from && (
          <p>
            <Link to={href('usages')} search={{ account, period: monthOf(bill.period_from), why: 1 }}>
              {m.pay_why()}
            </Link>
          </p>
        )}
      </SectionBody>
      <PayPart
        wish={bill && { purpose: 'service_bill', invoice_id: bill.id }}
        account={account}
        here={href('pay', { usage_id: use?.id })}
      />
    </Section>
  )
}

const usageStates = {
  open: m.pay_usage_open,
  charged: m.pay_usage_charged,
  billed: m.pay_usage_billed,
  paid: m.pay_usage_paid,
} as const

/** The usage in the address, and whether any of it is unpaid. */
function OneUse({ use: { data, error, refetch } }: { use: UseQueryResult<Row<'usages'>> }) {
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  if (!data) return <Bone height={80} />
  return (
    <Section id="use" title={data.resource_name ?? data.resource_ref}>
      <SectionBody>
        <p className={pay.amount}>{money(data.rated_amount, data.currency)}</p>
        <p>{`${dayInWords(data.usage_on, language())} · ${usageStates[data.status]()}`}</p>
      </SectionBody>
    </Section>
  )
}

/** Without a bill a debt is paid here all the same; without a debt nothing is due. */
function NoBills({ account }: { account: number | undefined }) {
  const query = useQuery(billingOf(account))
  const profile = query.data?.items[0]
  if (!profile)
    return (
      <div className="card">
        <Pending query={query}>
          <Bone height={240} />
        </Pending>
      </div>
    )
  if (owedBy(profile) !== undefined) return <Deposit account={account} profile={profile} />
  return (
    <div className="card">
      <Empty icon={<IconReceipt size={20} />} title={m.pay_none_title()} text={m.pay_none_text()}>
        <Button renderRoot={(props) => <Link {...props} to={href('payment')} search={{ account }} />}>
          {m.payment_title()}
        </Button>
      </Empty>
    </div>
  )
}

/** Pays the bills for usage. */
export default function PayScreen() {
  const account = useAccount()
  const { usage_id }: { usage_id?: string } = useParams({ strict: false })
  const usage = idIn(usage_id)
  const use = useQuery({ ...one('usages', usage ?? 0), enabled: usage !== undefined })
  const { bills: all, error, retry } = useOpenBills(account)
  // Nothing is chosen until the bill in the address is known, because the choice would change a moment later.
  const bills = use.isLoading ? undefined : all
  return (
    <>
      <PageHead title={m.pay_title()} lead={m.pay_lead()}>
        <AccountChoice />
      </PageHead>
      <div className={pay.page}>
        {usage !== undefined && <OneUse use={use} />}
        {error && <LoadFailure error={error} onRetry={retry} />}
        {!bills && !error && (
          <div className="card">
            <Bone height={240} />
          </div>
        )}
        {bills?.length === 0 && <NoBills key={account} account={account} />}
        {bills && bills.length > 0 && (
          <OpenBills key={account} bills={bills} account={account} use={use.data} />
        )}
      </div>
    </>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { asFailure } from '../../api/failure.ts'
import { action } from '../../api/query.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money, sum } from '../../ui/format.ts'
import { Bone } from '../../ui/loading/bones.tsx'
import { LoadFailure } from '../load-failure.tsx'
import { quantity } from '../money/figures.ts'
import { Sums } from '../money/sums.tsx'
import classes from './pay.module.css'

/** The subject of a quote: an amount for the balance, or a bill. */
export type Wish =
  | { readonly purpose: 'deposit'; readonly amount: number }
  | { readonly purpose: 'service_bill'; readonly invoice_id: number }

/** The server's quote of a payment; disabled while there is no amount. */
export const useQuote = (wish: Wish | undefined, client_id: number | undefined) =>
  useQuery({
    ...action('transactions', 'quote', {
      payload: { purpose: 'deposit', ...wish, ...(client_id !== undefined && { client_id }) },
    }),
    placeholderData: keepPreviousData,
    enabled: wish !== undefined,
  })

type Props = { quote: ReturnType<typeof useQuote> }

/** The reason why there is no quote: mostly a missing address for VAT, or payments are not possible now. */
export function NoQuote({ quote: { error, refetch } }: Props) {
  const failure = asFailure(error)
  if (failure.awaitsDocuments)
    return (
      <p role="status" className={classes.notice}>
        {m.quote_unavailable()}
      </p>
    )
  if (failure.code !== 'billing_info_incomplete' && failure.code !== 'billing_sector_invalid')
    return <LoadFailure error={error} onRetry={() => void refetch()} />
  return (
    <p className={classes.notice}>
      {m.quote_incomplete()} {failure.errors.map(({ detail = '' }) => detail).join(' ')}{' '}
      <Link to={href('manage-account')} hash="billing">
        {m.banner_billing_action()}
      </Link>
    </p>
  )
}

/** An amount with its VAT, as the server calculated it. */
export function QuoteSums({ data }: { data: NonNullable<Props['quote']['data']> }) {
  const vat =
    data.treatment === 'reverse_charge' ? m.quote_reverse() : m.quote_vat({ rate: quantity(data.vat_rate) })
  return (
    <Sums
      label={m.quote_title()}
      currency={data.currency}
      lines={[
        { name: m.quote_net(), amount: data.net },
        { name: vat, amount: data.vat },
      ]}
      total={{ name: m.quote_total(), amount: data.gross }}
    />
  )
}

/** The amount with its VAT, its allocation, and how long the balance lasts then. */
export function Quote({ quote, available }: Props & { available?: number | undefined }) {
  const { data, isError } = quote
  if (isError) return <NoQuote quote={quote} />
  if (!data) return <Bone height={120} />
  const bills = data.allocations.filter(({ to }) => to === 'service_bill')
  return (
    <>
      <QuoteSums data={data} />
      {bills.map(({ number, gross }) => (
        <p key={number} className={classes.quiet}>
          {m.quote_bill({ amount: money(gross, data.currency), number: number ?? '' })}
        </p>
      ))}
      {available !== undefined && (
        <p className={classes.quiet}>
          {m.quote_after({ amount: money(sum([available, data.net]), data.currency) })}
        </p>
      )}
      {data.new_exhaustion_date !== null && (
        <p className={classes.quiet}>
          {m.quote_lasts({ date: dayInWords(data.new_exhaustion_date, language()) })}
        </p>
      )}
    </>
  )
}

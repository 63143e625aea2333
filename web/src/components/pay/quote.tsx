import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { asFailure } from '../../api/failure.ts'
import { action } from '../../api/query.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { faultInWords } from '../../texts/faults.ts'
import { Bone } from '../../ui/bones.tsx'
import { dayInWords } from '../../ui/days.ts'
import { money, quantity } from '../../ui/format.ts'
import { LoadFailure } from '../load-failure.tsx'
import classes from './pay.module.css'

/** What somebody wants to pay: so much onto the balance, or a bill. */
export type Wish =
  | { readonly purpose: 'deposit'; readonly amount: number }
  | { readonly purpose: 'service_bill'; readonly invoice_id: number }

/** What a payment would come to, as the server reckons it; nothing while there is nothing to be reckoned. */
export const useQuote = (wish: Wish | undefined, client_id: number | undefined) =>
  useQuery({
    ...action('transactions', 'quote', {
      payload: { purpose: 'deposit', ...wish, ...(client_id !== undefined && { client_id }) },
    }),
    placeholderData: keepPreviousData,
    enabled: wish !== undefined,
  })

type Props = { quote: ReturnType<typeof useQuote> }

/** Why there is no sum: mostly because nobody knows yet which VAT applies. */
function NoQuote({ quote: { error, refetch } }: Props) {
  const failure = asFailure(error)
  if (failure.code !== 'billing_info_incomplete')
    return <LoadFailure error={error} onRetry={() => void refetch()} />
  return (
    <p className={classes.notice}>
      {m.quote_incomplete()} {failure.errors.map(({ detail = '' }) => faultInWords(detail)).join(' ')}{' '}
      <Link to={href('manage-account')} hash="billing">
        {m.banner_billing_action()}
      </Link>
    </p>
  )
}

/** The sum with its VAT, where it goes, and how long the balance lasts then. */
export function Quote({ quote }: Props) {
  const { data, isError } = quote
  if (isError) return <NoQuote quote={quote} />
  if (!data) return <Bone height={120} />
  const bills = data.allocations.filter(({ to }) => to === 'service_bill')
  return (
    <>
      <table className={classes.sums} aria-label={m.quote_title()}>
        <tbody>
          <tr>
            <th scope="row">{m.quote_net()}</th>
            <td>{money(data.net)}</td>
          </tr>
          <tr>
            <th scope="row">
              {data.treatment === 'reverse_charge'
                ? m.quote_reverse()
                : m.quote_vat({ rate: quantity(data.vat_rate) })}
            </th>
            <td>{money(data.vat)}</td>
          </tr>
          <tr className={classes.total}>
            <th scope="row">{m.quote_total()}</th>
            <td>{money(data.gross)}</td>
          </tr>
        </tbody>
      </table>
      {bills.map(({ number, gross }) => (
        <p key={number} className={classes.quiet}>
          {m.quote_bill({ amount: money(gross), number: number ?? '' })}
        </p>
      ))}
      {data.new_exhaustion_date !== null && (
        <p className={classes.quiet}>
          {m.quote_lasts({ date: dayInWords(data.new_exhaustion_date, language()) })}
        </p>
      )}
    </>
  )
}

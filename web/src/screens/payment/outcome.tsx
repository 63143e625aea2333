import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Billing, billingOf } from '../../api/queries/billing.ts'
import { one } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import type { Row } from '../../api/rows.ts'
import { act, useAction } from '../../api/write.ts'
import { Refusal } from '../../components/form-foot/form-foot.tsx'
import { Pending } from '../../components/loaded.tsx'
import { cardName } from '../../components/pay/card-words.ts'
import { DocumentButton } from '../../components/pay/document-button.tsx'
import pay from '../../components/pay/pay.module.css'
import { paymentStates } from '../../components/pay/payment-words.ts'
import { Refunds } from '../../components/pay/refunds.tsx'
import { refusedInWords } from '../../components/pay/refused.ts'
import { answerBank } from '../../components/pay/stripe.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { Bone } from '../../ui/loading/bones.tsx'
import { Section, SectionBody, SectionFoot } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'

/** Milliseconds between two questions about a slow payment. */
const pollEvery = 3_000

// Confirming only reads the outcome, so it is a query.
const outcomeOf = (id: number) =>
  queryOptions({
    queryKey: ['transactions', 'outcome', id],
    queryFn: async ({ client }) => {
      const { challenge_url, client_secret, publishable_key } = await act('transactions', 'confirm', {
        id,
        payload: {},
      })
      const payment = await client.fetchQuery({
        ...one('transactions', id, { include: ['invoice'] }),
        staleTime: 0,
      })
      if (payment.settled_at !== null) void client.invalidateQueries({ queryKey: ['billing-profiles'] })
      return { ...payment, challenge_url, client_secret, publishable_key }
    },
    refetchInterval: ({ state }) =>
      state.data?.status === 'processing' || state.data?.status === 'created' ? pollEvery : false,
  })

type Payment = Row<'transactions', 'invoice'>

/** The state, as a sentence for the person. */
function saying({ status, failure_code, net, purpose, currency }: Payment): string {
  if (status === 'succeeded')
    return purpose === 'service_bill'
      ? m.payment_bill_paid()
      : m.payment_on_balance({ amount: money(net ?? 0, currency) })
  if (status === 'requires_action') return m.payment_waits_text()
  if (status === 'failed' || status === 'canceled') return refusedInWords(failure_code ?? status)
  if (failure_code === 'outcome_unknown') return m.payment_unknown_text()
  if (status === 'created' || status === 'processing') return m.payment_processing_text()
  return ''
}

/** Keeps the place of a line whose words are loading. */
const blank = '\u00a0'

/** The balance, and how long it lasts where usage consumes it and no card is charged in time. */
function nowInWords({ available, exhaustion_date, automatic_works }: Billing, currency: string): string {
  const amount = money(available, currency)
  if (exhaustion_date === null || automatic_works || available <= 0) return m.payment_now({ amount })
  return m.payment_now_until({ amount, date: dayInWords(exhaustion_date, language()) })
}

/** The balance of the account, once the payment is on it. */
function Now({ of: { client_id, currency } }: { of: Payment }) {
  const { data, isFetching } = useQuery(billingOf(client_id))
  const profile = isFetching ? undefined : data?.items[0]
  return <p>{profile ? nowInWords(profile, currency) : blank}</p>
}

/** What keeps the balance from running out again, unless that is set up. */
function Further({ of: { client_id: account } }: { of: Payment }) {
  const profile = useQuery(billingOf(account)).data?.items[0]
  if (!profile || profile.automatic_works) return null
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link {...props} to={href('billing')} search={{ account, tab: 'methods' }} />}
    >
      {m.payment_next_automatic()}
    </Button>
  )
}

type AtBankProps = { payment: Payment; onAnswered: () => void }

/** The bank's confirmation: on a page of its own, or in the payment provider's frame. */
function AtBank({ payment: { challenge_url, client_secret, publishable_key }, onAnswered }: AtBankProps) {
  const [refused, setRefused] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  if (challenge_url !== null)
    return (
      <Button component="a" href={challenge_url}>
        {m.challenge_continue()}
      </Button>
    )
  if (client_secret === null || publishable_key === null) return null
  const ask = async () => {
    setAsking(true)
    const why = await answerBank(publishable_key, client_secret).catch(() => m.card_form_failed())
    setRefused(why)
    setAsking(false)
    onAnswered()
  }
  return (
    <>
      <Button loading={isAsking} onClick={() => void ask()}>
        {m.challenge_continue()}
      </Button>
      <Refusal>{refused}</Refusal>
    </>
  )
}

/** The next step: confirm at the bank, try again, or none. */
function Next({ payment, onAnswered }: AtBankProps) {
  const { id, client_id, status, net, purpose } = payment
  const cancel = useAction('transactions', 'cancel')
  if (status === 'requires_action')
    return (
      <>
        <Button
          variant="default"
          loading={cancel.isPending}
          onClick={() => cancel.mutate({ id, payload: {} })}
        >
          {m.payment_cancel()}
        </Button>
        <AtBank payment={payment} onAnswered={onAnswered} />
        {cancel.error && <span role="alert">{inWords(cancel.error)}</span>}
      </>
    )
  if (status !== 'failed' && status !== 'canceled') return null
  const again = purpose === 'service_bill' ? href('pay') : href('payment')
  return (
    <Button
      renderRoot={(props) => (
        <Link
          {...props}
          to={again}
          search={{ account: client_id, ...(purpose !== 'service_bill' && { amount: net }) }}
        />
      )}
    >
      {m.payment_again()}
    </Button>
  )
}

/** The outcome of a payment; only from the address, so that a link resumes it. */
export function Outcome({ id }: { id: number }) {
  const query = useQuery(outcomeOf(id))
  const { data, refetch } = query
  if (!data)
    return (
      <div className="card">
        <Pending query={query}>
          <Bone height={240} />
        </Pending>
      </div>
    )
  const { tone, name } = paymentStates[data.status]
  const { invoice, card_brand, card_last4 } = data
  const isOnBalance = data.status === 'succeeded' && data.purpose === 'deposit'
  return (
    <Section id="outcome" title={m.payment_result()} aside={<Status tone={tone}>{name()}</Status>}>
      <SectionBody>
        <p className={pay.amount}>{money(data.gross, data.currency)}</p>
        <p role="status">{saying(data)}</p>
        {isOnBalance && <Now of={data} />}
        <p className={pay.quiet}>
          {data.vat_treatment === 'reverse_charge'
            ? m.quote_reverse()
            : m.payment_vat_in({ vat: money(data.vat, data.currency) })}
          {card_last4 !== null && ` · ${cardName(card_brand, card_last4)}`}
        </p>
        <Refunds of={data} />
        {invoice && (
          <div>
            <DocumentButton id={invoice.id} number={invoice.full_number} format="pdf" />{' '}
            <span>{m.payment_invoice({ number: invoice.full_number })}</span>
          </div>
        )}
      </SectionBody>
      <SectionFoot>
        <Button component={Link} variant="default" to={href('billing')}>
          {m.payment_to_billing()}
        </Button>
        {isOnBalance && <Further of={data} />}
        <Next payment={data} onAnswered={() => void refetch()} />
      </SectionFoot>
    </Section>
  )
}

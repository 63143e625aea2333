import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { asFailure } from '../../api/failure.ts'
import { act } from '../../api/write.ts'
import { LoadFailure } from '../../components/load-failure.tsx'
import { Message } from '../../components/message.tsx'
import { useAccount } from '../../components/money/account.tsx'
import { cardsAddress } from '../../components/pay/cards-address.ts'
import { refusedInWords } from '../../components/pay/refused.ts'
import { href } from '../../routes.ts'
import { wayBack } from '../../stores/way-back.ts'
import { m } from '../../texts/compiled/messages.js'

/** Milliseconds between two questions whether the bank has decided. */
const pollEvery = 3_000

// Reading the outcome of the request changes nothing, so it is a query.
const outcomeOf = (id: number) =>
  queryOptions({
    queryKey: ['stripe-setup-intents', 'outcome', id],
    queryFn: () => act('stripe-setup-intents', 'confirm', { id, payload: {} }),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? pollEvery : false),
  })

/** The result, when the person is back from their bank. */
export function Returned({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(outcomeOf(id))
  const account = useAccount()
  const failure = error ? asFailure(error) : undefined
  const another = (
    <Button renderRoot={(props) => <Link {...props} to={href('add-new-card')} search={{ account }} />}>
      {m.card_another()}
    </Button>
  )
  if (failure?.code === 'payment_failed') {
    const reason = failure.errors[0]?.meta?.reason
    const why = refusedInWords(typeof reason === 'string' ? reason : undefined)
    return (
      <Message level={2} title={m.card_refused_title()} text={why}>
        {another}
      </Message>
    )
  }
  if (failure) return <LoadFailure error={failure} onRetry={() => void refetch()} />
  if (data?.status === 'succeeded') return <Navigate to={wayBack.read() ?? cardsAddress()} replace />
  if (data?.status === 'requires_action')
    return (
      <Message level={2} title={m.card_waits_title()} text={m.card_waits_text()}>
        {data.challenge_url && (
          <Button component="a" href={data.challenge_url}>
            {m.challenge_continue()}
          </Button>
        )}
        {another}
      </Message>
    )
  return <Message level={2} title={m.card_checking()} text={m.card_checking_text()} />
}

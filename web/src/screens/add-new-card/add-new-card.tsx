import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { fullName } from '../../api/queries/user.ts'
import { one } from '../../api/query.ts'
import { create } from '../../api/write.ts'
import { useNext } from '../../components/guest/search.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { Message } from '../../components/message.tsx'
import { useAccount } from '../../components/money/account.tsx'
import { cardsAddress } from '../../components/pay/cards-address.ts'
import { idIn, useSearchState } from '../../components/table/search-state.ts'
import { href } from '../../routes.ts'
import { toast } from '../../stores/toast.ts'
import { wayBack } from '../../stores/way-back.ts'
import { m } from '../../texts/compiled/messages.js'
import { Bone } from '../../ui/loading/bones.tsx'
import { lazily } from '../../ui/loading/lazily.ts'
import { Returned } from './returned.tsx'
import { SandboxForm } from './sandbox-form.tsx'

// Loaded only where Stripe takes the cards, together with Stripe's own script.
const StripeForm = lazily(async () => (await import('./stripe-form.tsx')).StripeForm)

// The idempotency key makes a repeated request open nothing more; its one-time secret is kept while the form
// is open.
const setupOf = (key: string, client_id: number | undefined) =>
  queryOptions({
    queryKey: ['stripe-setup-intents', 'opened', key],
    queryFn: () => create('stripe-setup-intents', { attributes: { client_id } }, key),
    staleTime: 'static',
    gcTime: 0,
  })

const waiting = (
  <div className="card" aria-hidden="true">
    <Bone height={320} />
  </div>
)

/** The card form of the configured payment provider. */
function NewCard() {
  const [key] = useState(() => crypto.randomUUID())
  const account = useAccount()
  const back = useNext() ?? cardsAddress(account)
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(setupOf(key, account))
  if (error && !data)
    return (
      <div className="card">
        <LoadFailure error={error} onRetry={() => void refetch()} />
      </div>
    )
  if (!data) return waiting
  const { id, provider, publishable_key, client_secret } = data
  if (provider === 'sandbox')
    return (
      <SandboxForm
        setup={data}
        onChallenge={(url) => {
          wayBack.keep(back)
          window.location.assign(url)
        }}
        onAdded={() => {
          toast(m.card_added())
          void navigate({ to: back })
        }}
      />
    )
  if (publishable_key === null || client_secret === null)
    return <Message level={2} title={m.card_elsewhere_title()} text={m.card_elsewhere_text()} />
  return (
    <Suspense fallback={waiting}>
      <StripeForm
        id={id}
        publishableKey={publishable_key}
        clientSecret={client_secret}
        onSending={() => wayBack.keep(back)}
        onSent={() =>
          void navigate({ to: href('add-new-card'), search: { setup: id, account }, replace: true })
        }
      />
    </Suspense>
  )
}

/** The purpose of the card and, in another person's account, whose it will be. */
function useLead(): string | undefined {
  const account = useAccount()
  const { data } = useQuery({ ...one('clients', account ?? 0), enabled: account !== undefined })
  if (account === undefined) return m.card_lead()
  return data && m.card_lead_of({ name: fullName(data) })
}

/** Adds a card: its number goes to the payment provider and never to the portal. */
export default function AddNewCardScreen() {
  const [given] = useSearchState()
  const asked = idIn(given.setup)
  return (
    <>
      <PageHead title={m.add_new_card_title()} lead={useLead()} />
      {asked === undefined ? <NewCard /> : <Returned id={asked} />}
    </>
  )
}

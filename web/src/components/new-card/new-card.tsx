import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { create } from '../../api/write.ts'
import { href } from '../../routes.ts'
import { toast } from '../../stores/toast.ts'
import { wayBack } from '../../stores/way-back.ts'
import { m } from '../../texts/compiled/messages.js'
import { Bone } from '../../ui/loading/bones.tsx'
import { lazily } from '../../ui/loading/lazily.ts'
import { LoadFailure } from '../load-failure.tsx'
import { Message } from '../message.tsx'
import { useAccount } from '../money/account.tsx'
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

type Props = {
  /** Where to go on from the page of a bank. */
  back: string
  onAdded: () => void
  /** Inside of another form's card, which has its own place for the fields. */
  isInPlace?: boolean
}

/** The card form of the configured payment provider. */
export function NewCard({ back, onAdded, isInPlace = false }: Props) {
  const [key] = useState(() => crypto.randomUUID())
  const account = useAccount()
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
        isInPlace={isInPlace}
        onChallenge={(url) => {
          wayBack.keep(back)
          window.location.assign(url)
        }}
        onAdded={() => {
          toast(m.card_added())
          onAdded()
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

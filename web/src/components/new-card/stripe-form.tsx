import type { Stripe, StripeElements, StripePaymentElement } from '@stripe/stripe-js'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { Bone } from '../../ui/loading/bones.tsx'
import { Section, SectionBody, SectionFoot } from '../../ui/section.tsx'
import { Refusal } from '../form-foot/form-foot.tsx'
import { SubmitButton } from '../form-foot/submit-button.tsx'
import { useAccount } from '../money/account.tsx'
import { appearance, stripeWith } from '../pay/stripe.ts'

type Setup = { readonly id: number; readonly publishableKey: string; readonly clientSecret: string }

type Opened =
  | { kind: 'coming' }
  | { kind: 'ready'; stripe: Stripe; elements: StripeElements }
  | { kind: 'failed' }

// Cards only: the portal's content security policy keeps scripts from the device's wallet.
const wallets = { applePay: 'never', googlePay: 'never', link: 'never' } as const

/** Mounts Stripe's form, in Stripe's own frame, until the screen is left. */
function useStripeForm(
  place: RefObject<HTMLDivElement | null>,
  { publishableKey, clientSecret }: Setup,
): Opened {
  const [opened, setOpened] = useState<Opened>({ kind: 'coming' })
  useEffect(() => {
    let isLeft = false
    let form: StripePaymentElement | undefined
    const open = async () => {
      const stripe = await stripeWith(publishableKey)
      if (isLeft || !place.current) return
      const elements = stripe.elements({ clientSecret, appearance: appearance() })
      form = elements.create('payment', { wallets })
      form.on('ready', () => setOpened({ kind: 'ready', stripe, elements }))
      form.on('loaderror', () => setOpened({ kind: 'failed' }))
      form.mount(place.current)
    }
    open().catch(() => !isLeft && setOpened({ kind: 'failed' }))
    return () => {
      isLeft = true
      form?.destroy()
    }
  }, [place, publishableKey, clientSecret])
  return opened
}

type Props = Setup & {
  /** From here on Stripe may send the person to a page of their bank. */
  onSending: () => void
  /** The card is with Stripe or the bank; the server knows the outcome. */
  onSent: () => void
}

/** Adds a card by Stripe's form: the number is typed into their frame and reaches only them. */
export function StripeForm({ onSending, onSent, ...setup }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const account = useAccount()
  const opened = useStripeForm(place, setup)
  const [refused, setRefused] = useState<string>()
  const [isSending, setSending] = useState(false)
  const send = async ({ stripe, elements }: Extract<Opened, { kind: 'ready' }>) => {
    onSending()
    setSending(true)
    setRefused(undefined)
    // A bank with a page of its own sends the person back to this address.
    const search = new URLSearchParams({
      setup: String(setup.id),
      ...(account && { account: String(account) }),
    })
    const back = new URL(`${href('add-new-card')}?${search}`, location.origin).href
    const { error } = await stripe.confirmSetup({
      elements,
      confirmParams: { return_url: back },
      redirect: 'if_required',
    })
    setSending(false)
    if (error) setRefused(error.message ?? m.refused_declined())
    else onSent()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (opened.kind === 'ready' && !isSending) void send(opened)
  }
  const failed = opened.kind === 'failed' ? m.card_form_failed() : undefined
  return (
    <Section id="card" title={m.card_details()} lead={m.card_stripe_text()}>
      <form onSubmit={submit} aria-label={m.card_details()}>
        <SectionBody>
          {opened.kind === 'coming' && <Bone height={220} />}
          <div ref={place} />
        </SectionBody>
        <SectionFoot note={<Refusal>{refused ?? failed}</Refusal>}>
          <SubmitButton disabled={opened.kind !== 'ready'} loading={isSending}>
            {m.card_add()}
          </SubmitButton>
        </SectionFoot>
      </form>
    </Section>
  )
}

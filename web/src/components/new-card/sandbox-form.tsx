import { TextInput } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { expiry, sandboxCard } from '@portico/contract/calls/sandbox.ts'
import * as z from 'zod/mini'
import { call } from '../../api/call.ts'
import { Failure } from '../../api/failure.ts'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody, SectionFoot } from '../../ui/section.tsx'
import { Refusal } from '../form-foot/form-foot.tsx'
import { SubmitButton } from '../form-foot/submit-button.tsx'
import form from '../forms/form.module.css'
import { useSavingForm } from '../forms/saving-form.ts'
import { refusedInWords } from '../pay/refused.ts'
import { expiryAsTyped, isOver, laterExpiry, numberAsTyped } from './card-text.ts'
import classes from './new-card.module.css'
import { TestCards } from './test-cards.tsx'

const { number, cvc } = sandboxCard.input.shape
const schema = z.object({ number, expiry, cvc })

type Props = {
  setup: Row<'stripe-setup-intents'>
  /** The bank asks for a confirmation on a page of its own. */
  onChallenge: (url: string) => void
  onAdded: () => void
  isInPlace: boolean
}

/** Submits the card to the sandbox; after a refusal the same request accepts another card. */
function useCardForm({
  setup: { id, provider_ref, client_secret },
  onChallenge,
  onAdded,
}: Omit<Props, 'isInPlace'>) {
  const confirm = useAction('stripe-setup-intents', 'confirm')
  return useSavingForm({
    initial: { number: '', expiry: '', cvc: '' },
    schema,
    alsoCheck: ({ expiry }) => (isOver(expiry, new Date()) ? { expiry: m.refused_expired() } : {}),
    save: async (values) => {
      const { status, challenge_url, error_code } = await call(addresses.sandboxCard, {
        ...values,
        ref: provider_ref ?? '',
        client_secret: client_secret ?? '',
      })
      if (status === 'failed') throw new Failure(402, [{ detail: refusedInWords(error_code) }])
      if (challenge_url !== null) return onChallenge(challenge_url)
      await confirm.mutateAsync({ id, payload: {} })
      onAdded()
    },
  })
}

/** The sandbox's form, with its test cards next to it. */
export function SandboxForm(props: Props) {
  const { form: values, field, formProps, refusal, isSaving } = useCardForm(props)
  const { number, expiry } = values.values
  return (
    <div className={props.isInPlace ? classes.place : classes.columns}>
      <Section id="card" title={m.card_details()} lead={m.card_sandbox_text()}>
        <form {...formProps}>
          <SectionBody>
            <TextInput
              label={m.card_number()}
              inputMode="numeric"
              autoComplete="cc-number"
              placeholder="0000 0000 0000 0000"
              {...field('number')}
              onChange={({ currentTarget: { value } }) =>
                values.setFieldValue('number', numberAsTyped(value))
              }
              value={number}
            />
            <div className={form.pair}>
              <TextInput
                label={m.card_expiry()}
                inputMode="numeric"
                autoComplete="cc-exp"
                placeholder={m.card_expiry_example()}
                {...field('expiry')}
                onChange={({ currentTarget: { value } }) =>
                  values.setFieldValue('expiry', expiryAsTyped(value, expiry))
                }
                value={expiry}
              />
              <TextInput
                label={m.card_cvc()}
                inputMode="numeric"
                autoComplete="cc-csc"
                maxLength={4}
                {...field('cvc')}
              />
            </div>
          </SectionBody>
          <SectionFoot note={<Refusal>{refusal}</Refusal>}>
            <SubmitButton loading={isSaving}>{m.card_add()}</SubmitButton>
          </SectionFoot>
        </form>
      </Section>
      <TestCards
        onChoose={(number) => values.setValues({ number, expiry: laterExpiry(new Date()), cvc: '123' })}
      />
    </div>
  )
}

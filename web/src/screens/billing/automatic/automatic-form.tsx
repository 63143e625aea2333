import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { type Billing, useAmounts } from '../../../api/queries/billing.ts'
import { type Card, cardsOf } from '../../../api/queries/cards.ts'
import { useAction, useCreate, useUpdate } from '../../../api/write.ts'
import { type Rule, restInWords } from '../../../components/automatic/rules.ts'
import { Refusal } from '../../../components/form-foot/form-foot.tsx'
import { SubmitButton } from '../../../components/form-foot/submit-button.tsx'
import form from '../../../components/forms/form.module.css'
import { useSavingForm } from '../../../components/forms/saving-form.ts'
import { amountIn, currencySection } from '../../../components/money/amount.ts'
import { cardName, expiryOf } from '../../../components/pay/card-words.ts'
import pay from '../../../components/pay/pay.module.css'
import { NoQuote, QuoteSums, useQuote } from '../../../components/pay/quote.tsx'
import { toast } from '../../../stores/toast.ts'
import { shownBrand } from '../../../texts/brand.ts'
import { m } from '../../../texts/compiled/messages.js'
import { money } from '../../../ui/format.ts'
import { SectionBody, SectionFoot } from '../../../ui/section.tsx'

/** Debounce in milliseconds, so that not every digit is a request. */
const typingPause = 250

/** The proposed minutes between two charges. */
const usualRest = 60

/** The choices for the minutes between two charges. */
const rests = [60, 360, 1_440] as const

// As typed; `alsoCheck` parses the amounts.
const schema = z.object({
  threshold_amount: z.string(),
  recharge_amount: z.string(),
  monthly_cap: z.string(),
  cooldown_minutes: z.string(),
  card: z.string(),
  fallbackCard: z.string(),
})
type Values = z.output<typeof schema>
const amountNames = ['threshold_amount', 'recharge_amount', 'monthly_cap'] as const
type AmountName = (typeof amountNames)[number]
type Amounts = Billing['amounts']

const limitsOf = (amounts: Amounts): Record<AmountName, { least: number; most: number }> => ({
  threshold_amount: { least: amounts.threshold_least, most: amounts.deposit_most },
  recharge_amount: { least: amounts.recharge_least, most: amounts.deposit_most },
  monthly_cap: { least: amounts.recharge_least, most: amounts.cap_most },
})

const faultsIn = (amounts: Amounts, currency: string) => (values: Values) => {
  const faults: Partial<Record<AmountName, string>> = {}
  for (const name of amountNames) {
    const isLeftOpen = name === 'monthly_cap' && values[name].trim() === ''
    const { least, most } = limitsOf(amounts)[name]
    if (!isLeftOpen && amountIn(values[name], { least, most }, currency) === undefined)
      faults[name] = m.fault_deposit({ least: money(least, currency), most: money(most, currency) })
  }
  const cap = amountIn(values.monthly_cap)
  if (faults.monthly_cap === undefined && cap !== undefined && cap < (amountIn(values.recharge_amount) ?? 0))
    faults.monthly_cap = m.fault_auto_cap()
  return faults
}

const text = (amount: number | null | undefined) => (amount == null ? '' : String(amount))

const initialOf = (rule: Rule | undefined, cards: readonly Card[], amounts: Amounts): Values => ({
  threshold_amount: text(rule?.threshold_amount ?? amounts.threshold_usual),
  recharge_amount: text(rule?.recharge_amount ?? amounts.recharge_usual),
  monthly_cap: text(rule?.monthly_cap),
  cooldown_minutes: text(rule?.cooldown_minutes ?? usualRest),
  card: text(cards.find(({ id }) => id === rule?.card?.id)?.id ?? cards[0]?.id),
  fallbackCard: text(cards.find(({ id }) => id === rule?.fallbackCard?.id)?.id),
})

const labelOf = (card: Card) => `${cardName(card.brand, card.last4)}, ${expiryOf(card)}`

/** The agreement, in the words that the person reads. */
const consentTo = (values: Values, cards: readonly Card[], { currency, seller }: Billing) => {
  const card = cards.find(({ id }) => String(id) === values.card)
  return m.auto_consent({
    // An older replica does not say who sells.
    seller: seller ?? shownBrand().name,
    card: card ? labelOf(card) : '',
    amount: money(amountIn(values.recharge_amount) ?? 0, currency),
    threshold: money(amountIn(values.threshold_amount) ?? 0, currency),
  })
}

type Props = {
  rule: Rule | undefined
  profile: Billing
  account: number | undefined
  onDone: () => void
}
type Known = Props & { cards: readonly Card[]; amounts: Amounts }

/** Saves the rule and turns it on, with the agreed text. */
function useRuleForm({ rule, profile, account, onDone, cards, amounts }: Known) {
  const [create, update] = [useCreate('automated-billing-rules'), useUpdate('automated-billing-rules')]
  const enable = useAction('automated-billing-rules', 'enable')
  return useSavingForm({
    initial: initialOf(rule, cards, amounts),
    schema,
    alsoCheck: faultsIn(amounts, profile.currency),
    save: async (values) => {
      const attributes = {
        threshold_amount: amountIn(values.threshold_amount) ?? 0,
        recharge_amount: amountIn(values.recharge_amount) ?? 0,
        monthly_cap: amountIn(values.monthly_cap) ?? null,
        cooldown_minutes: Number(values.cooldown_minutes),
      }
      const to = (id: string) => (id === '' ? null : { type: 'cards' as const, id: Number(id) })
      const relationships = { card: to(values.card), fallbackCard: to(values.fallbackCard) }
      const { id } = rule
        ? await update.mutateAsync({ id: rule.id, attributes, relationships })
        : await create.mutateAsync({ attributes: { ...attributes, client_id: account }, relationships })
      await enable.mutateAsync({ id, payload: { consent: consentTo(values, cards, profile) } })
      toast(m.auto_is_on())
      onDone()
    },
  })
}

/** The cost of a charge with VAT, while the amount is typed. */
function Charge({ amount, account }: { amount: number | undefined; account: number | undefined }) {
  const [asked] = useDebouncedValue(amount, typingPause)
  const quote = useQuote(asked === undefined ? undefined : { purpose: 'deposit', amount: asked }, account)
  if (asked === undefined) return null
  if (quote.isError) return <NoQuote quote={quote} />
  return quote.data ? <QuoteSums data={quote.data} /> : null
}

type FieldsProps = { cards: readonly Card[]; currency: string; form: RuleForm }

function Fields({ cards, currency, form: { form: ruleForm, field } }: FieldsProps) {
  const { card, cooldown_minutes } = ruleForm.values
  const amount = { inputMode: 'decimal', autoComplete: 'off', ...currencySection(currency) } as const
  const offered = [...new Set([...rests, Number(cooldown_minutes)])].toSorted((a, b) => a - b)
  const option = (one: Card) => (
    <option key={one.id} value={one.id}>
      {labelOf(one)}
    </option>
  )
  return (
    <>
      <div className={form.pair}>
        <TextInput label={m.auto_threshold()} {...amount} {...field('threshold_amount')} />
        <TextInput label={m.auto_recharge()} {...amount} {...field('recharge_amount')} />
      </div>
      <div className={form.pair}>
        <NativeSelect label={m.pay_card()} {...field('card')}>
          {cards.map(option)}
        </NativeSelect>
        <NativeSelect label={m.auto_fallback()} {...field('fallbackCard')}>
          <option value="">{m.none()}</option>
          {cards.filter(({ id }) => String(id) !== card).map(option)}
        </NativeSelect>
      </div>
      <div className={form.pair}>
        <TextInput
          label={m.auto_cap()}
          placeholder={m.auto_cap_empty()}
          {...amount}
          {...field('monthly_cap')}
        />
        <NativeSelect label={m.auto_cooldown()} {...field('cooldown_minutes')}>
          {offered.map((minutes) => (
            <option key={minutes} value={minutes}>
              {restInWords(minutes)}
            </option>
          ))}
        </NativeSelect>
      </div>
    </>
  )
}

type RuleForm = ReturnType<typeof useRuleForm>

function Form(props: Known) {
  const { rule, profile, account, cards, amounts, onDone } = props
  const ruleForm = useRuleForm(props)
  const { formProps, refusal, isSaving } = ruleForm
  const { values } = ruleForm.form
  return (
    <form {...formProps} aria-label={m.auto_title()}>
      <SectionBody>
        <Fields cards={cards} currency={profile.currency} form={ruleForm} />
        <Charge
          amount={amountIn(values.recharge_amount, limitsOf(amounts).recharge_amount)}
          account={account}
        />
        <p className={pay.quiet}>{consentTo(values, cards, profile)}</p>
      </SectionBody>
      <SectionFoot note={<Refusal>{refusal}</Refusal>}>
        <Button variant="default" onClick={onDone}>
          {m.cancel()}
        </Button>
        <SubmitButton loading={isSaving}>{rule?.enabled ? m.save() : m.auto_turn_on()}</SubmitButton>
      </SectionFoot>
    </form>
  )
}

/** Sets when the portal charges automatically, how much, and which card. */
export function AutomaticForm(props: Props) {
  const { data } = useQuery(cardsOf(props.account))
  const cards = data?.filter(({ status }) => status === 'active')
  const amounts = useAmounts(props.account)
  return cards && amounts ? <Form {...props} cards={cards} amounts={amounts} /> : null
}

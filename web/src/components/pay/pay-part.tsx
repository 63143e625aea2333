import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import type { Failure } from '../../api/failure.ts'
import { useAmounts } from '../../api/queries/billing.ts'
import { type Card, cardsOf } from '../../api/queries/cards.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useCreateOnce } from '../../api/write.ts'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { Bone } from '../../ui/loading/bones.tsx'
import { lazily } from '../../ui/loading/lazily.ts'
import { SectionBody, SectionFoot } from '../../ui/section.tsx'
import { Refusal } from '../form-foot/form-foot.tsx'
import { SubmitButton } from '../form-foot/submit-button.tsx'
import { useSearchState } from '../table/search-state.ts'
import { cardName, expiryOf } from './card-words.ts'
import classes from './pay.module.css'
import { NoQuote, Quote, useQuote, type Wish } from './quote.tsx'
import { refusedInWords } from './refused.ts'

// Loaded only by those who add a card.
const NewCard = lazily(async () => (await import('../new-card/new-card.tsx')).NewCard)

type Props = {
  /** Undefined while the typed amount is invalid. */
  wish: Wish | undefined
  /** The amount is still being typed: the quote of the previous one keeps its place, and pays nothing. */
  isTyping?: boolean
  account: number | undefined
  /** The address to return to with a new card. */
  here: string
  /** The present balance, which a deposit adds to. */
  available?: number
}

/** Refusals whose server sentences are written for developers. */
const refusals: Readonly<Record<string, () => string>> = {
  no_card: m.pay_no_card,
  documents_unavailable: m.quote_unavailable,
}

/** Starts the payment and continues at the bank or at the result. Refusals are shown here. */
function usePay(account: number | undefined, onDeclined: (card: number) => string) {
  const pay = useCreateOnce('transactions')
  const navigate = useNavigate()
  const [refused, setRefused] = useState<string>()
  const [isLeaving, setLeaving] = useState(false)
  const refuse = (failure: Failure) => setRefused(refusals[failure.code ?? '']?.() ?? inWords(failure))
  const start = (wish: Wish, card: number) => {
    setRefused(undefined)
    const { purpose } = wish
    const of = purpose === 'deposit' ? { net: wish.amount } : { invoice_id: wish.invoice_id }
    pay.mutate(
      {
        attributes: { client_id: account, purpose, ...of },
        relationships: { card: { type: 'cards', id: card } },
      },
      {
        onError: refuse,
        onSuccess: ({ id, status, failure_code, challenge_url }) => {
          if (status === 'failed') {
            return setRefused(`${refusedInWords(failure_code)} ${onDeclined(card)}`.trim())
          }
          if (challenge_url === null)
            return void navigate({ to: href('payment'), search: { transaction: id, account } })
          setLeaving(true)
          window.location.assign(challenge_url)
        },
      },
    )
  }
  /** A refusal is about the card that was charged. */
  const forget = () => setRefused(undefined)
  return { start, forget, refused, isPaying: pay.isPending || isLeaving }
}

const another = 'another'
const newest = 'newest'
type Choice = number | typeof another | typeof newest | undefined

/** The card to pay with: the chosen one, the one that was added last, or else the default one. */
function cardOf(cards: readonly Card[], chosen: Choice): Card | undefined {
  if (chosen === newest) return cards.toSorted((a, b) => b.id - a.id)[0]
  return cards.find(({ id }) => id === chosen) ?? cards[0]
}

/** The choice of a card, which gets the focus of a card form that has closed. */
function useFocusedChoice(isAdding: boolean) {
  const choice = useRef<HTMLSelectElement>(null)
  const wasAdding = useRef(isAdding)
  useEffect(() => {
    if (wasAdding.current && !isAdding && document.activeElement === document.body) choice.current?.focus()
    wasAdding.current = isAdding
  }, [isAdding])
  return choice
}

/** The total, the card, which may be added in place, and the button. */
export function PayPart({ wish, isTyping = false, account, here, available }: Props) {
  const quote = useQuote(wish, account)
  // Before an amount is typed, the minimum deposit shows whether payments are possible at all.
  const least = useAmounts(account)?.deposit_least
  const possible = useQuote(least === undefined ? undefined : { purpose: 'deposit', amount: least }, account)
  const { data: all } = useQuery(cardsOf(account))
  const cards = all?.filter(({ status }) => status === 'active')
  const [given] = useSearchState()
  // A person who comes back from their bank with a card means to pay with that one.
  const [chosen, setChosen] = useState<Choice>(given.added === undefined ? undefined : newest)
  const card = cards && cardOf(cards, chosen)
  const isAdding = chosen === another || cards?.length === 0
  const choice = useFocusedChoice(isAdding)
  const { start, forget, refused, isPaying } = usePay(account, (declined) => {
    const other = cards?.find(({ id }) => id !== declined)
    if (!other) return ''
    setChosen(other.id)
    return m.pay_other_card({ name: cardName(other.brand, other.last4) })
  })
  const choose = (one: Choice) => {
    forget()
    setChosen(one)
  }
  const ready = !isTyping && wish && card && quote.data && !quote.isError && !quote.isPlaceholderData
  return (
    <>
      <form
        aria-label={m.pay_form()}
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && !isPaying) start(wish, card.id)
        }}
      >
        <SectionBody>
          {wish && <Quote quote={quote} available={available} />}
          {!wish && possible.isError && <NoQuote quote={possible} />}
          {!cards && <Bone height={62} />}
          {cards && cards.length > 0 && (
            <NativeSelect
              ref={choice}
              label={m.pay_card()}
              value={isAdding ? another : card?.id}
              onChange={({ currentTarget: { value } }) => choose(value === another ? another : Number(value))}
            >
              {cards.map((one) => (
                <option key={one.id} value={one.id}>
                  {`${cardName(one.brand, one.last4)}, ${expiryOf(one)}`}
                </option>
              ))}
              <option value={another}>{m.add_new_card_title()}</option>
            </NativeSelect>
          )}
        </SectionBody>
        {!isAdding && (
          <SectionFoot note={<Refusal>{refused}</Refusal>}>
            <SubmitButton disabled={!ready} loading={isPaying}>
              {quote.data && ready
                ? m.pay_sum({ amount: money(quote.data.gross, quote.data.currency) })
                : m.usage_pay()}
            </SubmitButton>
          </SectionFoot>
        )}
      </form>
      {isAdding && (
        <div className={classes.adding}>
          <Suspense fallback={<Bone height={240} />}>
            <NewCard
              isInPlace
              back={`${here}${here.includes('?') ? '&' : '?'}added=1`}
              onAdded={() => choose(newest)}
            />
          </Suspense>
        </div>
      )}
    </>
  )
}

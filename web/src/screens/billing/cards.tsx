import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { Billing } from '../../api/queries/billing.ts'
import { type Card, cardsOf } from '../../api/queries/cards.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { LoadedList } from '../../components/loaded.tsx'
import { useAccount } from '../../components/money/account.tsx'
import { CardMark } from '../../components/pay/card-mark.tsx'
import { cardName, endsSoon, expiryOf } from '../../components/pay/card-words.ts'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { lazily } from '../../ui/loading/lazily.ts'
import { IconCard } from '../../ui/more-icons.tsx'
import { Section, SectionFoot, SectionList, SectionRow } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'

const RemoveCard = lazily(async () => (await import('./remove-card.tsx')).RemoveCard)

/** The state of a card, where it matters. */
function State({ card, today }: { card: Card; today: string }) {
  if (card.status === 'expired') return <Status tone="bad">{m.card_expired()}</Status>
  if (card.status === 'failed') return <Status tone="bad">{m.card_failed()}</Status>
  if (endsSoon(card, today)) return <Status tone="warn">{m.card_ends_soon()}</Status>
  return card.is_default ? <Status tone="good">{m.card_default()}</Status> : null
}

type RowProps = { card: Card; today: string; onRemove: () => void }

function CardRow({ card, today, onRemove }: RowProps) {
  const name = cardName(card.brand, card.last4)
  const prefer = useAction('cards', 'setDefault')
  return (
    <SectionRow
      icon={<CardMark brand={card.brand} />}
      title={
        <>
          {name}
          <State card={card} today={today} />
        </>
      }
      text={
        <>
          {m.card_until({ date: expiryOf(card) })}
          {prefer.error && <span role="alert"> {inWords(prefer.error)}</span>}
        </>
      }
    >
      {!card.is_default && card.status === 'active' && (
        <Button
          size="xs"
          variant="default"
          loading={prefer.isPending}
          aria-label={m.card_make_default_one({ name })}
          onClick={() => prefer.mutate({ id: card.id, payload: {} })}
        >
          {m.card_make_default()}
        </Button>
      )}
      <Button size="xs" variant="default" aria-label={m.remove_one({ name })} onClick={onRemove}>
        {m.remove()}
      </Button>
    </SectionRow>
  )
}

/** The account's cards, with their expiry and the default one. */
export function Cards({ profile }: { profile: Billing }) {
  const account = useAccount()
  const query = useQuery(cardsOf(account))
  const [removing, setRemoving] = useState<Card>()
  const add = (
    <Button
      variant="default"
      renderRoot={(props) => <Link {...props} to={href('add-new-card')} search={{ account }} />}
    >
      {m.add_new_card_title()}
    </Button>
  )
  const empty = (
    <Empty icon={<IconCard size={20} />} title={m.cards_none_title()} text={m.cards_none_text()} />
  )
  return (
    <Section id="cards" title={m.cards_title()} lead={m.cards_lead()}>
      <LoadedList query={query} items={query.data} empty={empty}>
        {(cards) => (
          <SectionList label={m.cards_title()}>
            {cards.map((card) => (
              <CardRow key={card.id} card={card} today={profile.as_of} onRemove={() => setRemoving(card)} />
            ))}
          </SectionList>
        )}
      </LoadedList>
      <SectionFoot>{add}</SectionFoot>
      {removing && (
        <Suspense>
          <RemoveCard card={removing} onClose={() => setRemoving(undefined)} />
        </Suspense>
      )}
    </Section>
  )
}

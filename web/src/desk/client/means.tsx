import { useQuery } from '@tanstack/react-query'
import { cardsOf } from '../../api/queries/cards.ts'
import type { Row } from '../../api/rows.ts'
import { type Decision, outcomes, whyInWords } from '../../components/automatic/decision-words.ts'
import { type Rule, restInWords, rulesOf, standing } from '../../components/automatic/rules.ts'
import { Loaded } from '../../components/loaded.tsx'
import { cardName, expiryOf } from '../../components/pay/card-words.ts'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { Section, SectionBody, SectionList, SectionRow } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import classes from './client.module.css'
import type { Client } from './words.tsx'

type Props = { client: Client }
type Card = Row<'cards'>

function CardState({ status, is_default }: Card) {
  if (status === 'expired') return <Status tone="bad">{m.card_expired()}</Status>
  if (status === 'failed') return <Status tone="bad">{m.card_failed()}</Status>
  return is_default && <Status tone="good">{m.card_default()}</Status>
}

function Cards({ client: { id } }: Props) {
  return (
    <Section id="cards" title={m.cards_title()}>
      <Loaded query={useQuery(cardsOf(id))} rows={1}>
        {(cards) =>
          cards.length === 0 ? (
            <SectionBody>
              <p>{m.cards_none_title()}</p>
            </SectionBody>
          ) : (
            <SectionList label={m.cards_title()}>
              {cards.map((card) => (
                <SectionRow
                  key={card.id}
                  title={
                    <>
                      {cardName(card.brand, card.last4)}
                      <CardState {...card} />
                    </>
                  }
                  text={m.card_until({ date: expiryOf(card) })}
                />
              ))}
            </SectionList>
          )
        }
      </Loaded>
    </Section>
  )
}

const nameOf = (card: Rule['card']) => (card ? cardName(card.brand, card.last4) : m.auto_why_no_card())

function Terms({ rule, currency }: { rule: Rule; currency: string }) {
  const { threshold_amount, recharge_amount, monthly_cap, cooldown_minutes, card, fallbackCard } = rule
  const sum = (amount: number) => money(amount, currency)
  const lines = [
    m.auto_sentence({ threshold: sum(threshold_amount), amount: sum(recharge_amount), card: nameOf(card) }),
    fallbackCard && m.auto_fallback_line({ card: nameOf(fallbackCard) }),
    monthly_cap === null ? m.auto_cap_none() : m.auto_cap_line({ amount: sum(monthly_cap) }),
    cooldown_minutes > 0 && m.auto_rest_line({ time: restInWords(cooldown_minutes) }),
    m.desk_auto_charged({ amount: sum(rule.charged_this_month) }),
  ]
  return (
    <SectionBody>
      <p>{lines.filter(Boolean).join(' ')}</p>
    </SectionBody>
  )
}

function Decisions({ decisions, currency }: { decisions: readonly Decision[]; currency: string }) {
  if (decisions.length === 0) return null
  return (
    <SectionList label={m.auto_decisions()}>
      {decisions.map((decision) => {
        const { at, last_at, outcome, reason, times } = decision
        const { tone, name } = outcomes[outcome]
        return (
          <SectionRow
            key={`${at} ${outcome} ${reason}`}
            title={<Status tone={tone}>{name()}</Status>}
            text={whyInWords(decision, currency)}
          >
            <span>
              <When moment={last_at} />
              {times > 1 && ` × ${String(times)}`}
            </span>
          </SectionRow>
        )
      })}
    </SectionList>
  )
}

function Automatic({ client: { id, currency } }: Props) {
  const query = useQuery(rulesOf(id))
  const rule = query.data?.items[0]
  const { tone, name } = standing(rule)
  return (
    <Section id="automatic" title={m.auto_title()} aside={query.data && <Status tone={tone}>{name}</Status>}>
      <Loaded query={query} rows={1}>
        {() =>
          rule === undefined ? (
            <SectionBody>
              <p>{m.desk_auto_never()}</p>
            </SectionBody>
          ) : (
            <>
              <Terms rule={rule} currency={currency} />
              <Decisions decisions={rule.decisions} currency={currency} />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

/** What a client can be charged by: their cards, the rule of automatic payments, and what it decided. */
export function Means({ client }: Props) {
  return (
    <div className={classes.parts}>
      <Cards client={client} />
      <Automatic client={client} />
    </div>
  )
}

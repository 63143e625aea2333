import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { Billing } from '../../../api/queries/billing.ts'
import { cardsOf } from '../../../api/queries/cards.ts'
import { inWords } from '../../../api/refusal-words.ts'
import { useAction } from '../../../api/write.ts'
import { type Rule, restInWords, rulesOf, standing } from '../../../components/automatic/rules.ts'
import { Pending } from '../../../components/loaded.tsx'
import { useAccount } from '../../../components/money/account.tsx'
import { cardName } from '../../../components/pay/card-words.ts'
import { NoQuote, QuoteSums, useQuote } from '../../../components/pay/quote.tsx'
import { href } from '../../../routes.ts'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import { money } from '../../../ui/format.ts'
import { Bone } from '../../../ui/loading/bones.tsx'
import { lazily } from '../../../ui/loading/lazily.ts'
import { focusSection, Section, SectionBody, SectionFoot } from '../../../ui/section.tsx'
import { Status } from '../../../ui/status.tsx'
import classes from '../billing.module.css'
import { AutomaticNotice } from './automatic-notice.tsx'
import { Decisions } from './decisions.tsx'

const AutomaticForm = lazily(async () => (await import('./automatic-form.tsx')).AutomaticForm)

/**
 * Polls every so many milliseconds: a job decides daily, and right after the rule was saved, while the person
 * waits.
 */
function pollEvery(rule: Rule | undefined): number {
  const [latest] = rule?.decisions ?? []
  const waits = rule?.enabled && (!latest || latest.last_at < rule.updatedAt)
  return waits ? 2000 : 30_000
}

const nameOf = (card: Rule['card']) => (card ? cardName(card.brand, card.last4) : m.auto_why_no_card())

/** Summarizes the rule, with the VAT on top. */
function Terms({ rule, currency, account }: { rule: Rule; currency: string; account: number | undefined }) {
  const { threshold_amount, recharge_amount, monthly_cap, cooldown_minutes, card, fallbackCard } = rule
  const quote = useQuote({ purpose: 'deposit', amount: recharge_amount }, account)
  const sum = (amount: number) => money(amount, currency)
  const terms = { threshold: sum(threshold_amount), amount: sum(recharge_amount), card: nameOf(card) }
  return (
    <>
      <p>{m.auto_sentence(terms)}</p>
      {quote.isError && <NoQuote quote={quote} />}
      {quote.data && <QuoteSums data={quote.data} />}
      <ul className={classes.terms}>
        {fallbackCard && <li>{m.auto_fallback_line({ card: nameOf(fallbackCard) })}</li>}
        <li>{monthly_cap === null ? m.auto_cap_none() : m.auto_cap_line({ amount: sum(monthly_cap) })}</li>
        {cooldown_minutes > 0 && <li>{m.auto_rest_line({ time: restInWords(cooldown_minutes) })}</li>}
      </ul>
    </>
  )
}

type PartProps = {
  rule: Rule | undefined
  currency: string
  account: number | undefined
  onChange: () => void
}

/** The state of the rule, with buttons to change or stop it. */
function Shown({ rule, currency, account, onChange }: PartProps) {
  const disable = useAction('automated-billing-rules', 'disable')
  const { data: cards } = useQuery(cardsOf(account))
  const turnOff = (id: number) =>
    disable.mutate({ id, payload: {} }, { onSuccess: () => toast(m.auto_is_off()) })
  const hasCard = cards?.some(({ status }) => status === 'active')
  return (
    <>
      <SectionBody>
        {rule && <AutomaticNotice rule={rule} />}
        {rule?.enabled ? (
          <Terms rule={rule} currency={currency} account={account} />
        ) : (
          <p>{m.auto_off_text()}</p>
        )}
        {!rule?.enabled && hasCard === false && <p>{m.auto_no_card()}</p>}
      </SectionBody>
      <SectionFoot note={disable.error && <span role="alert">{inWords(disable.error)}</span>}>
        {rule?.enabled && (
          <Button variant="default" loading={disable.isPending} onClick={() => turnOff(rule.id)}>
            {m.auto_turn_off()}
          </Button>
        )}
        {hasCard === false && !rule?.enabled ? (
          <Button
            variant="default"
            renderRoot={(props) => <Link {...props} to={href('add-new-card')} search={{ account }} />}
          >
            {m.add_new_card_title()}
          </Button>
        ) : (
          <Button variant="default" disabled={!cards} onClick={onChange}>
            {rule?.enabled ? m.auto_change() : m.auto_set_up()}
          </Button>
        )}
      </SectionFoot>
    </>
  )
}

/** Automatic top-ups: the rule, and every decision about it. */
export function Automatic({ profile }: { profile: Billing }) {
  const account = useAccount()
  const query = useQuery({
    ...rulesOf(account),
    refetchInterval: ({ state }) => pollEvery(state.data?.items[0]),
  })
  const [isChanging, setChanging] = useState(false)
  const { data } = query
  const rule = data?.items[0]
  const { tone, name } = standing(rule)
  const done = () => {
    setChanging(false)
    focusSection('automatic')
  }
  const waiting = (
    <SectionBody>
      <Bone height={120} />
    </SectionBody>
  )
  return (
    <div className={rule ? classes.columns : ''}>
      <Section
        id="automatic"
        title={m.auto_title()}
        lead={m.auto_lead()}
        aside={data && <Status tone={tone}>{name}</Status>}
      >
        {!data && <Pending query={query}>{waiting}</Pending>}
        {data && !isChanging && (
          <Shown
            rule={rule}
            currency={profile.currency}
            account={account}
            onChange={() => setChanging(true)}
          />
        )}
        {data && isChanging && (
          <Suspense fallback={waiting}>
            <AutomaticForm rule={rule} profile={profile} account={account} onDone={done} />
          </Suspense>
        )}
      </Section>
      {rule && <Decisions decisions={rule.decisions} currency={profile.currency} />}
    </div>
  )
}

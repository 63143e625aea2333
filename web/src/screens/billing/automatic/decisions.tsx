import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Decision, outcomes, whyInWords } from '../../../components/automatic/decision-words.ts'
import { exact } from '../../../components/moments.ts'
import { href } from '../../../routes.ts'
import { language } from '../../../stores/language.ts'
import { m } from '../../../texts/compiled/messages.js'
import { Section, SectionBody, SectionFoot, SectionList, SectionRow } from '../../../ui/section.tsx'
import { Status } from '../../../ui/status.tsx'

/** The number of decisions shown at first. */
const few = 4

/** The time of a decision and how often it was repeated, by the business clock, which a demo advances. */
function whenInWords({ at, last_at, times }: Decision): string {
  if (times === 1) return exact(at, language())
  return m.auto_times({ count: times, date: exact(last_at, language()) })
}

function DecisionRow({ decision, currency }: { decision: Decision; currency: string }) {
  const { tone, name } = outcomes[decision.outcome]
  const { transaction_id: id } = decision
  return (
    <SectionRow
      title={<Status tone={tone}>{name()}</Status>}
      text={
        <>
          {whyInWords(decision, currency)}
          <br />
          {whenInWords(decision)}
        </>
      }
    >
      {id !== null && (
        <Link
          to={href('payment')}
          search={{ transaction: id }}
          aria-label={m.auto_payment_one({ id: String(id) })}
        >
          {m.pay_form()}
        </Link>
      )}
    </SectionRow>
  )
}

type Props = { decisions: readonly Decision[]; currency: string }

/** Every decision of automatic payment, including why it did not charge. */
export function Decisions({ decisions, currency }: Props) {
  const [isWhole, setWhole] = useState(false)
  const rest = isWhole ? 0 : Math.max(0, decisions.length - few)
  return (
    <Section id="decisions" title={m.auto_decisions()} lead={m.auto_decisions_lead()}>
      {decisions.length === 0 && (
        <SectionBody>
          <p>{m.auto_decisions_none()}</p>
        </SectionBody>
      )}
      {decisions.length > 0 && (
        <SectionList label={m.auto_decisions()}>
          {decisions.slice(0, decisions.length - rest).map((decision) => (
            <DecisionRow
              key={`${decision.at} ${decision.outcome} ${decision.reason}`}
              decision={decision}
              currency={currency}
            />
          ))}
        </SectionList>
      )}
      {rest > 0 && (
        <SectionFoot>
          <Button size="xs" variant="default" onClick={() => setWhole(true)}>
            {m.auto_more({ count: rest })}
          </Button>
        </SectionFoot>
      )}
    </Section>
  )
}

import { useId } from 'react'
import type { Billing } from '../../../api/queries/billing.ts'
import { language } from '../../../stores/language.ts'
import { m } from '../../../texts/compiled/messages.js'
import { dayInWords } from '../../../ui/days.ts'
import { Section, SectionBody } from '../../../ui/section.tsx'
import classes from '../billing.module.css'

type Step = Billing['policy_timeline'][number]

const steps: Record<Step['step'], { name: () => string; text: () => string }> = {
  trial_ends: { name: m.step_trial_ends, text: m.step_trial_ends_text },
  low: { name: m.step_low, text: m.step_low_text },
  negative: { name: m.step_negative, text: m.step_negative_text },
  warned: { name: m.step_warned, text: m.step_warned_text },
  suspended: { name: m.step_suspended, text: m.step_suspended_text },
  terminated: { name: m.step_terminated, text: m.step_terminated_text },
}

function whenOf({ on, reached }: Step): string {
  const date = dayInWords(on, language())
  return reached ? m.step_since({ date }) : date
}

/** Each step with its date; the consequences of those that are still to come. */
function Steps({ timeline }: { timeline: readonly Step[] }) {
  return (
    <ol className={classes.steps}>
      {timeline.map((entry) => (
        <li key={entry.step} className={`${classes.step} ${entry.reached ? classes.reached : ''}`}>
          <div className={classes.name}>
            <span>{steps[entry.step].name()}</span>
            <span className={classes.when}>{whenOf(entry)}</span>
          </div>
          {!entry.reached && <p className="quiet">{steps[entry.step].text()}</p>}
        </li>
      ))}
    </ol>
  )
}

/** The dates below, folded while automatic payment works. */
export function UnlikelyTimeline({ profile }: { profile: Billing }) {
  const title = useId()
  if (profile.policy_timeline.length === 0) return null
  return (
    <section className={classes.unlikely} aria-labelledby={title}>
      <h3 id={title}>{m.timeline_refused()}</h3>
      <p className="quiet">{m.timeline_refused_lead()}</p>
      <details>
        <summary>{m.timeline_show()}</summary>
        <Steps timeline={profile.policy_timeline} />
      </details>
    </section>
  )
}

/**
 * The dates of warnings, suspension and deletion if nothing is paid, by the operator's policy and the present
 * daily use.
 */
export function Timeline({ profile }: { profile: Billing }) {
  return (
    <Section id="timeline" title={m.timeline_title()} lead={m.timeline_lead()}>
      {profile.policy_timeline.length === 0 && (
        <SectionBody>
          <p>{m.timeline_none()}</p>
        </SectionBody>
      )}
      <Steps timeline={profile.policy_timeline} />
    </Section>
  )
}

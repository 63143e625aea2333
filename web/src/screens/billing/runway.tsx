import type { Billing } from '../../api/billing.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../ui/section.tsx'
import classes from './billing.module.css'
import { lastingInWords } from './lasting.ts'
import { Reckoning } from './reckoning.tsx'

/** How long the balance lasts, and how that is reckoned. */
export function Runway({ profile }: { profile: Billing }) {
  return (
    <Section id="runway" title={m.runway_title()}>
      <SectionBody>
        <p className={classes.answer}>{lastingInWords(profile)}</p>
        <Reckoning profile={profile} />
      </SectionBody>
    </Section>
  )
}

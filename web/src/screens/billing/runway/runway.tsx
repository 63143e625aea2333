import type { Billing } from '../../../api/queries/billing.ts'
import { m } from '../../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../../ui/section.tsx'
import classes from '../billing.module.css'
import { Reckoning } from './reckoning.tsx'
import { lastingInWords } from './runway-words.ts'
import { WhatIf } from './what-if.tsx'

/** The runway of the balance, its calculation, and the effect of a payment or of more use. */
export function Runway({ profile }: { profile: Billing }) {
  return (
    <Section id="runway" title={m.runway_title()}>
      <SectionBody>
        <p className={classes.answer}>{lastingInWords(profile)}</p>
        <Reckoning profile={profile} />
        <WhatIf profile={profile} />
      </SectionBody>
    </Section>
  )
}

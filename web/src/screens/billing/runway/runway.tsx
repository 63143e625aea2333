import type { Billing } from '../../../api/queries/billing.ts'
import { m } from '../../../texts/compiled/messages.js'
import { Section } from '../../../ui/section.tsx'
import classes from '../billing.module.css'
import type { TopUps } from './projection.ts'
import { Reckoning } from './reckoning.tsx'
import { runwayInWords } from './top-ups.ts'
import { WhatIf } from './what-if.tsx'

/** The runway of the balance, its calculation, and the effect of a payment or of more use. */
export function Runway({ profile, topUps }: { profile: Billing; topUps: TopUps | undefined }) {
  return (
    <Section id="runway" title={m.runway_title()}>
      <div className={classes.runway}>
        <p className={classes.answer}>{runwayInWords(profile, topUps, profile.currency)}</p>
        <details>
          <summary>{m.reckoning_show()}</summary>
          <Reckoning profile={profile} />
        </details>
        <WhatIf profile={profile} topUps={topUps} />
      </div>
    </Section>
  )
}

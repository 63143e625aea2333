import { Button } from '@mantine/core'
import type { closing, closingObstacles } from '@portico/contract/calls/account/account.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type * as z from 'zod/mini'
import { closingQuery } from '../../../api/queries/account.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { m } from '../../../texts/compiled/messages.js'
import { money } from '../../../ui/format.ts'
import { lazily } from '../../../ui/loading/lazily.ts'
import { Section, SectionBody, SectionFoot } from '../../../ui/section.tsx'
import classes from './close-account.module.css'

const CloseDialog = lazily(async () => (await import('./close-dialog.tsx')).CloseDialog)

type Closing = z.output<(typeof closing)['output']>

const obstacles: Record<(typeof closingObstacles)[number], (found: Closing) => string> = {
  panels: ({ panels }) => m.closing_panels({ count: panels }),
  payment: () => m.closing_payment(),
  usage: () => m.closing_usage(),
  debt: ({ balance, currency }) => m.closing_debt({ sum: money(-balance, currency) }),
  money: ({ balance, currency }) => m.closing_money({ sum: money(balance, currency) }),
  bills: () => m.closing_bills(),
}

function Body({ found }: { found: Closing }) {
  const [isAsking, setAsking] = useState(false)
  const isHeld = found.obstacles.length > 0
  return (
    <>
      <SectionBody>
        <p>{m.closing_keeps({ days: found.erased_after_days })}</p>
        {isHeld && (
          <div className={classes.held}>
            <p>{m.closing_before()}</p>
            <ul>
              {found.obstacles.map((name) => (
                <li key={name}>{obstacles[name](found)}</li>
              ))}
            </ul>
          </div>
        )}
      </SectionBody>
      <SectionFoot>
        <Button variant="default" className={classes.close} disabled={isHeld} onClick={() => setAsking(true)}>
          {m.closing_verb()}
        </Button>
      </SectionFoot>
      <Suspense>
        {isAsking && <CloseDialog days={found.erased_after_days} onClose={() => setAsking(false)} />}
      </Suspense>
    </>
  )
}

/** Closes the account for good; obstacles are listed first. */
export function CloseAccount() {
  const query = useQuery(closingQuery)
  return (
    <Section id="close" title={m.account_close()} lead={m.closing_lead()}>
      <Loaded query={query} rows={2}>
        {(found) => <Body found={found} />}
      </Loaded>
    </Section>
  )
}

import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { useQuery } from '@tanstack/react-query'
import { asFailure } from '../../api/failure.ts'
import { billingQuery } from '../../api/queries/billing.ts'
import { offerQuery } from '../../api/queries/offer.ts'
import { useCall } from '../../api/write.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import classes from './demo-ribbon.module.css'

/**
 * The ribbon of a demo, with a button that advances the business day. It renders nothing in other portals.
 */
export function DemoRibbon() {
  // The features of a portal are fixed when it starts.
  const isDemo = useQuery({ ...offerQuery, staleTime: Number.POSITIVE_INFINITY }).data?.demo_accounts != null
  const today = useQuery(billingQuery).data?.items[0]?.as_of
  const advance = useCall(addresses.advanceDay)
  if (!isDemo) return null
  const go = () =>
    advance.mutate(
      {},
      { onError: (error) => toast(m.demo_advance_failed(), asFailure(error).message, 'bad') },
    )
  return (
    <aside className={classes.ribbon} aria-label={m.demo_ribbon()}>
      <strong>{m.demo_ribbon()}</strong>
      {/* The new date is announced; a toast would cover the button. */}
      <span role="status" className="numbers">
        {today && m.demo_today({ date: dayInWords(today, language()) })}
      </span>
      <span className={classes.space} />
      <a href={href('outbox')}>{m.outbox_title()}</a>
      <Button size="xs" variant="default" loading={advance.isPending} onClick={go}>
        {m.demo_advance()}
      </Button>
    </aside>
  )
}

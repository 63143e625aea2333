import { Button } from '@mantine/core'
import { missingSum } from '@portico/contract/resources/plans.ts'
import { Link } from '@tanstack/react-router'
import * as z from 'zod/mini'
import type { ActionOf, Output } from '../../api/actions.ts'
import type { Failure } from '../../api/failure.ts'
import { useUser } from '../../api/queries/user.ts'
import { href } from '../../routes.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import classes from './obstacles.module.css'

type Quote = Pick<Output<ActionOf<'plans', 'quote'>>, 'obstacles' | 'lacks' | 'currency'>

const sumInMeta = z.extend(missingSum, { currency: z.string() })

/** The reasons of a refusal, with the missing sum that it names. */
export function obstaclesOf({ errors }: Failure): Partial<Quote> {
  const sum = z.safeParse(sumInMeta, errors[0]?.meta)
  return {
    obstacles: errors.flatMap(({ code, detail }) => (code && detail ? [{ code, detail }] : [])),
    ...(sum.success && { lacks: sum.data, currency: sum.data.currency }),
  }
}

/**
 * The reasons against a plan, and the way to pay a missing sum. During an upgrade an older replica answers without them.
 */
export function Obstacles({ quote, clientId }: { quote: Partial<Quote>; clientId: number }) {
  const { id } = useUser()
  const { obstacles = [], lacks, currency = '' } = quote
  if (obstacles.length === 0) return null
  const account = clientId === id ? undefined : clientId
  return (
    <div className={classes.obstacles}>
      <ul>
        {obstacles.map(({ detail }) => (
          <li key={detail}>{detail}</li>
        ))}
      </ul>
      {lacks && (
        <Button
          size="xs"
          renderRoot={(props) => (
            <Link
              {...props}
              to={href('payment')}
              search={{ amount: lacks.deposit, account }}
              onClick={closeOverlay}
            />
          )}
        >
          {m.plan_top_up({ amount: money(lacks.deposit, currency) })}
        </Button>
      )}
    </div>
  )
}

import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { language } from '../../stores/language.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { exact, relative } from '../moments.ts'
import classes from './thread.module.css'
import type { Ticket } from './ticket.ts'

/** What an owner may allow staff for a time. */
export type Scope = 'panel' | 'account'

type Props = { ticket: Ticket; scope: Scope; text: string; until: string; children?: ReactNode }

/** Who answers the ticket, by name. */
export const answerer = ({ assignedAdmin }: Ticket) => assignedAdmin?.display_name ?? m.access_support()

/** Shows both sides what is allowed and until when, and ends it. */
export function Running({ ticket, scope, text, until, children }: Props) {
  const revoke = useAction('tickets', 'revokeStaffAccess')
  const end = () =>
    revoke.mutate(
      { id: ticket.id, payload: { scope } },
      {
        onSuccess: () => toast(m.access_ended()),
        onError: (error) => toast(m.ticket_not_done(), inWords(error), 'bad'),
      },
    )
  return (
    <>
      <p className={classes.asideText}>{text}</p>
      <p className={classes.until}>
        <time dateTime={until}>{`${exact(until, language())} · ${relative(until, language())}`}</time>
      </p>
      <div className={classes.access}>
        {children}
        {ticket.may.revokeStaffAccess && (
          <Button size="xs" variant="default" loading={revoke.isPending} onClick={end}>
            {m.access_end()}
          </Button>
        )}
      </div>
    </>
  )
}

import { Button, NativeSelect } from '@mantine/core'
import { mostAccessHours } from '@portico/contract/rules/tickets/ticket-limits.ts'
import { type FormEvent, Suspense, useState } from 'react'
import type { Failure } from '../../../api/failure.ts'
import { inWords } from '../../../api/refusal-words.ts'
import type { Row } from '../../../api/rows.ts'
import { useAction } from '../../../api/write.ts'
import { useSide } from '../../../components/tickets/words.tsx'
import { language } from '../../../stores/language.ts'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import '../../../ui/styles/combobox.ts'
import { exact, relative } from '../../../components/moments.ts'
import { lazily } from '../../../ui/loading/lazily.ts'
import type { Ticket } from '../ticket.ts'
import classes from '../view-ticket.module.css'

const OpenPanelButton = lazily(async () => (await import('./open-panel.tsx')).OpenPanelButton)

type Panel = Row<'panels'>
type Of = { ticket: Ticket; panel: Panel }

const choices = [1, 4, 8, 24, mostAccessHours]

const refused = { onError: (error: Failure) => toast(m.ticket_not_done(), inWords(error), 'bad') }

/** Lets the owner allow access, for a number of hours. */
function Grant({ ticket: { id }, panel }: Of) {
  const grant = useAction('tickets', 'grantStaffAccess')
  const [hours, setHours] = useState(4)
  const send = (event: FormEvent) => {
    event.preventDefault()
    grant.mutate(
      { id, payload: { hours } },
      { ...refused, onSuccess: () => toast(m.access_granted({ panel: panel.name })) },
    )
  }
  return (
    <>
      <p className={classes.asideText}>{m.access_text({ panel: panel.name })}</p>
      <form className={classes.access} onSubmit={send}>
        <NativeSelect
          size="xs"
          aria-label={m.access_how_long()}
          value={hours}
          onChange={({ currentTarget: { value } }) => setHours(Number(value))}
        >
          {choices.map((one) => (
            <option key={one} value={one}>
              {m.access_hours({ count: one })}
            </option>
          ))}
        </NativeSelect>
        <Button size="xs" variant="default" type="submit" loading={grant.isPending}>
          {m.access_allow()}
        </Button>
      </form>
    </>
  )
}

/** Shows both sides who may open the panel and until when; the staff member opens it from here. */
function Running({ ticket, panel, until }: Of & { until: string }) {
  const side = useSide()
  const revoke = useAction('tickets', 'revokeStaffAccess')
  const about = { panel: panel.name, name: ticket.assignedAdmin?.display_name ?? m.access_support() }
  const isMine = side === 'staff' && panel.may.connect === true
  const end = () =>
    revoke.mutate({ id: ticket.id, payload: {} }, { ...refused, onSuccess: () => toast(m.access_ended()) })
  return (
    <>
      <p className={classes.asideText}>{isMine ? m.access_yours(about) : m.access_running(about)}</p>
      <p className={classes.until}>
        <time dateTime={until}>{`${exact(until, language())} · ${relative(until, language())}`}</time>
      </p>
      <div className={classes.access}>
        <Suspense>{isMine && <OpenPanelButton panel={panel} />}</Suspense>
        {ticket.may.revokeStaffAccess && (
          <Button size="xs" variant="default" loading={revoke.isPending} onClick={end}>
            {m.access_end()}
          </Button>
        )}
      </div>
    </>
  )
}

/** Whether support may open the ticket's panel. Guests of the account see this only while access lasts. */
export function Access({ ticket }: { ticket: Ticket }) {
  const side = useSide()
  const { panel, staff_access_until: until, may } = ticket
  const isOffered = side === 'staff' || may.grantStaffAccess === true
  if (!panel || ticket.status === 'closed' || (until === null && !isOffered)) return null
  return (
    <section className="card" aria-labelledby="access">
      <h2 id="access" className={classes.asideTitle}>
        {m.access_title()}
      </h2>
      {until !== null && <Running ticket={ticket} panel={panel} until={until} />}
      {until === null && side === 'client' && <Grant ticket={ticket} panel={panel} />}
      {until === null && side === 'staff' && (
        <p className={classes.asideText}>{m.access_none({ panel: panel.name })}</p>
      )}
    </section>
  )
}

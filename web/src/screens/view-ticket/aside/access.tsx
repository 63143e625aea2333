import { Button, NativeSelect } from '@mantine/core'
import { mostAccessHours } from '@portico/contract/rules/tickets/ticket-limits.ts'
import { type FormEvent, type ReactNode, Suspense, useState } from 'react'
import type { Failure } from '../../../api/failure.ts'
import { useUser } from '../../../api/queries/user.ts'
import { inWords } from '../../../api/refusal-words.ts'
import type { Row } from '../../../api/rows.ts'
import { useAction } from '../../../api/write.ts'
import { useSide } from '../../../components/tickets/words.tsx'
import { deskHome } from '../../../routes.ts'
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
type Scope = 'panel' | 'account'

/** The words of what the owner allows. */
type Words = { readonly text: string; readonly allow: string; readonly granted: string }

const choices = [1, 4, 8, 24, mostAccessHours]

const refused = { onError: (error: Failure) => toast(m.ticket_not_done(), inWords(error), 'bad') }

/** Lets the owner allow it, for a number of hours. */
function Grant({ id, scope, words }: { id: number; scope: Scope; words: Words }) {
  const grant = useAction('tickets', 'grantStaffAccess')
  const [hours, setHours] = useState(4)
  const send = (event: FormEvent) => {
    event.preventDefault()
    grant.mutate({ id, payload: { hours, scope } }, { ...refused, onSuccess: () => toast(words.granted) })
  }
  return (
    <>
      <p className={classes.asideText}>{words.text}</p>
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
          {words.allow}
        </Button>
      </form>
    </>
  )
}

type Lasting = { ticket: Ticket; scope: Scope; text: string; until: string; children: ReactNode }

/** Shows both sides what is allowed and until when, and ends it. */
function Running({ ticket, scope, text, until, children }: Lasting) {
  const revoke = useAction('tickets', 'revokeStaffAccess')
  const end = () =>
    revoke.mutate(
      { id: ticket.id, payload: { scope } },
      { ...refused, onSuccess: () => toast(m.access_ended()) },
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

/** Who answers the ticket, by name. */
const answerer = ({ assignedAdmin }: Ticket) => assignedAdmin?.display_name ?? m.access_support()

function ToPanel({ ticket, panel }: { ticket: Ticket; panel: Panel }) {
  const side = useSide()
  const { staff_access_until: until } = ticket
  const about = { panel: panel.name, name: answerer(ticket) }
  const isMine = side === 'staff' && panel.may.connect === true
  if (until !== null)
    return (
      <Running
        ticket={ticket}
        scope="panel"
        text={isMine ? m.access_yours(about) : m.access_running(about)}
        until={until}
      >
        <Suspense>{isMine && <OpenPanelButton panel={panel} />}</Suspense>
      </Running>
    )
  if (side === 'staff') return <p className={classes.asideText}>{m.access_none(about)}</p>
  const words = { text: m.access_text(about), allow: m.access_allow(), granted: m.access_granted(about) }
  return <Grant id={ticket.id} scope="panel" words={words} />
}

function ToAccount({ ticket }: { ticket: Ticket }) {
  const side = useSide()
  const user = useUser()
  const { account_view_until: until, assignedAdmin } = ticket
  const isMine = side === 'staff' && assignedAdmin?.id === user.staff?.id
  if (until !== null)
    return (
      <Running
        ticket={ticket}
        scope="account"
        text={isMine ? m.view_consent_yours() : m.view_consent_running({ name: answerer(ticket) })}
        until={until}
      >
        {isMine && (
          <Button size="xs" component="a" href={`${deskHome}/clients/${ticket.client?.id}`}>
            {m.view_consent_client()}
          </Button>
        )}
      </Running>
    )
  if (side === 'staff') return <p className={classes.asideText}>{m.view_consent_none()}</p>
  const words = {
    text: m.view_consent_text(),
    allow: m.view_consent_allow(),
    granted: m.view_consent_granted(),
  }
  return <Grant id={ticket.id} scope="account" words={words} />
}

/**
 * Whether support may open the ticket's panel, and see the account as its owner does. Guests of the account see this only
 * while it lasts.
 */
export function Access({ ticket }: { ticket: Ticket }) {
  const side = useSide()
  const { panel, staff_access_until, account_view_until, may, status } = ticket
  if (status === 'closed') return null
  const isOffered = side === 'staff' || may.grantStaffAccess === true
  return (
    <>
      {panel && (staff_access_until !== null || isOffered) && (
        <section className="card" aria-labelledby="access">
          <h2 id="access" className={classes.asideTitle}>
            {m.access_title()}
          </h2>
          <ToPanel ticket={ticket} panel={panel} />
        </section>
      )}
      {(account_view_until !== null || isOffered) && (
        <section className="card" aria-labelledby="account-view">
          <h2 id="account-view" className={classes.asideTitle}>
            {side === 'staff' ? m.see_as_client() : m.view_consent_title()}
          </h2>
          <ToAccount ticket={ticket} />
        </section>
      )}
    </>
  )
}

import { Button, NativeSelect } from '@mantine/core'
import { mostAccessHours } from '@portico/contract/rules/tickets/ticket-limits.ts'
import { type FormEvent, useState } from 'react'
import { inWords } from '../../../api/refusal-words.ts'
import type { Row } from '../../../api/rows.ts'
import { useAction } from '../../../api/write.ts'
import { answerer, Running, type Scope } from '../../../components/thread/running.tsx'
import classes from '../../../components/thread/thread.module.css'
import type { Ticket } from '../../../components/thread/ticket.ts'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import '../../../ui/styles/combobox.ts'

/** The words of what the owner allows. */
type Words = { readonly text: string; readonly allow: string; readonly granted: string }

const choices = [1, 4, 8, 24, mostAccessHours]

/** Lets the owner allow it, for a number of hours. */
function Grant({ id, scope, words }: { id: number; scope: Scope; words: Words }) {
  const grant = useAction('tickets', 'grantStaffAccess')
  const [hours, setHours] = useState(4)
  const send = (event: FormEvent) => {
    event.preventDefault()
    grant.mutate(
      { id, payload: { hours, scope } },
      {
        onSuccess: () => toast(words.granted),
        onError: (error) => toast(m.ticket_not_done(), inWords(error), 'bad'),
      },
    )
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

function ToPanel({ ticket, panel }: { ticket: Ticket; panel: Row<'panels'> }) {
  const about = { panel: panel.name, name: answerer(ticket) }
  const { staff_access_until: until } = ticket
  if (until !== null)
    return <Running ticket={ticket} scope="panel" text={m.access_running(about)} until={until} />
  const words = { text: m.access_text(about), allow: m.access_allow(), granted: m.access_granted(about) }
  return <Grant id={ticket.id} scope="panel" words={words} />
}

function ToAccount({ ticket }: { ticket: Ticket }) {
  const { account_view_until: until } = ticket
  const running = m.view_consent_running({ name: answerer(ticket) })
  if (until !== null) return <Running ticket={ticket} scope="account" text={running} until={until} />
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
  const { panel, staff_access_until, account_view_until, may, status } = ticket
  if (status === 'closed') return null
  const isOffered = may.grantStaffAccess === true
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
            {m.view_consent_title()}
          </h2>
          <ToAccount ticket={ticket} />
        </section>
      )}
    </>
  )
}

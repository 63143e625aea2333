import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useUser } from '../../api/queries/user.ts'
import type { Row } from '../../api/rows.ts'
import { answerer, Running } from '../../components/thread/running.tsx'
import classes from '../../components/thread/thread.module.css'
import type { Ticket } from '../../components/thread/ticket.ts'
import { m } from '../../texts/compiled/messages.js'
import { deskHref } from '../routes.ts'
import { OpenPanelButton } from './open-panel.tsx'

function ToPanel({ ticket, panel }: { ticket: Ticket; panel: Row<'panels'> }) {
  const { staff_access_until: until } = ticket
  const about = { panel: panel.name, name: answerer(ticket) }
  const isMine = panel.may.connect === true
  if (until === null) return <p className={classes.asideText}>{m.access_none(about)}</p>
  return (
    <Running
      ticket={ticket}
      scope="panel"
      text={isMine ? m.access_yours(about) : m.access_running(about)}
      until={until}
    >
      {isMine && <OpenPanelButton panel={panel} />}
    </Running>
  )
}

function ToAccount({ ticket }: { ticket: Ticket }) {
  const { staff } = useUser()
  const { account_view_until: until, assignedAdmin, client } = ticket
  const isMine = assignedAdmin?.id === staff?.id
  if (until === null) return <p className={classes.asideText}>{m.view_consent_none()}</p>
  return (
    <Running
      ticket={ticket}
      scope="account"
      text={isMine ? m.view_consent_yours() : m.desk_ticket_view_of({ name: answerer(ticket) })}
      until={until}
    >
      {isMine && client && (
        <Button
          size="xs"
          renderRoot={(props) => <Link {...props} to={deskHref('client', { id: client.id })} />}
        >
          {m.view_consent_client()}
        </Button>
      )}
    </Running>
  )
}

/** What the owner has allowed the person who answers, and until when. */
export function Access({ ticket }: { ticket: Ticket }) {
  const { panel, status } = ticket
  if (status === 'closed') return null
  return (
    <>
      {panel && (
        <section className="card" aria-labelledby="access">
          <h2 id="access" className={classes.asideTitle}>
            {m.access_title()}
          </h2>
          <ToPanel ticket={ticket} panel={panel} />
        </section>
      )}
      <section className="card" aria-labelledby="account-view">
        <h2 id="account-view" className={classes.asideTitle}>
          {m.see_as_client()}
        </h2>
        <ToAccount ticket={ticket} />
      </section>
    </>
  )
}

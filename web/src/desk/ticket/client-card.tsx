import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { list, one } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { LoadFailure } from '../../components/load-failure.tsx'
import { PanelStatus } from '../../components/panel-status.tsx'
import { Fact } from '../../components/thread/fact.tsx'
import classes from '../../components/thread/thread.module.css'
import type { Ticket } from '../../components/thread/ticket.ts'
import { TicketStatus } from '../../components/tickets/words.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { Bone } from '../../ui/loading/bones.tsx'
import { deskHref } from '../routes.ts'
import own from './ticket.module.css'

const mostPanels = 5
const mostTickets = 3

const panelsQuery = (client: number) =>
  list('panels', { filter: { client_id: client }, sort: '-createdAt', page: { size: mostPanels } })

/** One more than is shown, because the open ticket may be one of them. */
const ticketsQuery = (client: number) =>
  list('tickets', {
    filter: { client_id: client },
    sort: '-last_message_at',
    page: { size: mostTickets + 1 },
  })

/** Who they are and how they stand; every role of staff reads this on the client's page too. */
function Account({ client }: { client: Row<'desk-clients'> }) {
  const { id, company_name: company, exhaustion_date: until, owed_since: owed } = client
  const person = `${client.first_name} ${client.last_name}`
  return (
    <dl className={classes.facts}>
      <Fact name={m.ticket_account()}>
        <Link to={deskHref('client', { id })}>{company ?? person}</Link>
        {company !== null && <span className={classes.does}>{person}</span>}
      </Fact>
      <Fact name={m.email()}>{client.email}</Fact>
      <Fact name={m.ticket_client_balance()}>{money(client.available, client.currency)}</Fact>
      {until && <Fact name={m.ticket_client_until()}>{dayInWords(until, language())}</Fact>}
      {owed && <Fact name={m.ticket_client_owed()}>{dayInWords(owed, language())}</Fact>}
    </dl>
  )
}

function Panels({ client }: { client: number }) {
  const { data } = useQuery(panelsQuery(client))
  if (!data) return null
  return (
    <>
      <h3 className={own.part}>{m.ticket_client_panels_title()}</h3>
      {data.items.length === 0 && <p className={classes.asideText}>{m.ticket_client_panels_none()}</p>}
      <ul className={classes.notified}>
        {data.items.map(({ id, name, plan_code: plan, status }) => (
          <li key={id}>
            <span className={classes.address}>
              {name}
              {plan !== null && <span className={classes.does}>{plan}</span>}
            </span>
            <PanelStatus status={status} />
          </li>
        ))}
      </ul>
      {data.page.total > data.items.length && (
        <p className={classes.asideText}>
          <Link to={deskHref('client', { id: client, tab: 'panels' })}>
            {m.ticket_client_panels({ count: data.page.total })}
          </Link>
        </p>
      )}
    </>
  )
}

function Tickets({ client, besides }: { client: number; besides: number }) {
  const { data } = useQuery(ticketsQuery(client))
  if (!data) return null
  const others = data.items.filter(({ id }) => id !== besides).slice(0, mostTickets)
  return (
    <>
      <h3 className={own.part}>{m.ticket_client_tickets()}</h3>
      {others.length === 0 && <p className={classes.asideText}>{m.ticket_client_tickets_none()}</p>}
      <ul className={classes.notified}>
        {others.map(({ id, subject, status }) => (
          <li key={id}>
            <Link className={classes.address} to={deskHref('ticket', { id })}>
              {subject}
            </Link>
            <TicketStatus state={status} side="staff" />
          </li>
        ))}
      </ul>
    </>
  )
}

function Card({ client, ticket }: { client: number; ticket: number }) {
  const { data, error, isPending, refetch } = useQuery(one('desk-clients', client))
  return (
    <section className="card" aria-labelledby="client">
      <h2 id="client" className={classes.asideTitle}>
        {m.ticket_client_title()}
      </h2>
      {isPending && (
        <div className={classes.waiting}>
          <Bone height={96} />
        </div>
      )}
      {!data && error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {data && <Account client={data} />}
      {data && <Panels client={client} />}
      {data && <Tickets client={client} besides={ticket} />}
    </section>
  )
}

/** The client of a ticket, for staff who answer it. Reading it counts as opening the client's page. */
export function ClientCard({ ticket: { id, client } }: { ticket: Ticket }) {
  return client && <Card client={client.id} ticket={id} />
}

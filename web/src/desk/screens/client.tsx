import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { FunctionComponent } from 'react'
import { asFailure } from '../../api/failure.ts'
import { one } from '../../api/query.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { RowBones } from '../../components/loaded.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { useTitle } from '../../ui/title.ts'
import classes from '../client/client.module.css'
import { Documents } from '../client/documents.tsx'
import { Flags } from '../client/flags.tsx'
import { Notes, PinnedNote } from '../client/notes.tsx'
import { Overview } from '../client/overview.tsx'
import { Letters, Log, Money, Payments, Tickets } from '../client/parts.tsx'
import { People } from '../client/people.tsx'
import { SeeAsClient } from '../client/see-as-client.tsx'
import { SignIns } from '../client/sign-ins.tsx'
import { Usage } from '../client/usage.tsx'
import { type Client, ClientStatus, clientName } from '../client/words.tsx'
import { NotFound } from '../layout/message.tsx'
import { ClientPanels } from '../panels/client-panels.tsx'
import { deskHref } from '../routes.ts'
import { ClientMenu } from '../verbs/client-menu.tsx'
import { ClientVerbs } from '../verbs/client-verbs.tsx'
import { MoneyVerb } from '../verbs/money-verbs.tsx'

type Tab = {
  readonly name: string
  readonly title: () => string
  readonly part: FunctionComponent<{ client: Client }>
  /** The reader's permission that it needs. */
  readonly needs?: 'readLog'
}

const overview: Tab = { name: 'overview', title: m.desk_tab_overview, part: Overview }

const tabs: readonly Tab[] = [
  overview,
  { name: 'panels', title: m.desk_tab_panels, part: ClientPanels },
  { name: 'money', title: m.desk_tab_money, part: Money },
  { name: 'usage', title: m.desk_tab_usage, part: Usage },
  { name: 'documents', title: m.desk_tab_documents, part: Documents },
  { name: 'payments', title: m.desk_tab_payments, part: Payments },
  { name: 'tickets', title: m.desk_tab_tickets, part: Tickets },
  { name: 'people', title: m.desk_tab_people, part: People },
  { name: 'letters', title: m.desk_tab_letters, part: Letters },
  { name: 'sign-ins', title: m.desk_tab_sign_ins, part: SignIns },
  { name: 'notes', title: m.desk_tab_notes, part: Notes },
  { name: 'log', title: m.desk_tab_log, part: Log, needs: 'readLog' },
]

const dayOf = (day: string | null) => (day === null ? '–' : dayInWords(day, language()))

function Figures({ client }: { client: Client }) {
  const { currency } = client
  const figures = [
    [m.column_balance(), money(client.available, currency)],
    [m.desk_figure_credit(), money(client.credit_balance, currency)],
    [m.desk_figure_daily(), money(client.daily_use, currency)],
    [m.desk_column_until(), dayOf(client.exhaustion_date)],
    [m.desk_column_owed(), dayOf(client.owed_since)],
  ]
  return (
    <dl className={`card ${classes.figures}`}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Everything about one client. */
export default function ClientScreen() {
  const { id, tab }: { id?: string; tab?: string } = useParams({ strict: false })
  const { data: client, error, isError, refetch } = useQuery(one('desk-clients', Number(id)))
  useTitle(client && `${clientName(client)} · ${m.desk()} · ${m.brand()}`)
  if (isError && asFailure(error).status === 404) return <NotFound />
  if (!client) return isError ? <LoadFailure isPage error={error} onRetry={refetch} /> : <RowBones rows={4} />
  const open = tabs.filter(({ needs }) => needs === undefined || client.may[needs])
  const chosen = open.find(({ name }) => name === (tab ?? overview.name))
  if (!chosen) return <NotFound />
  const { part: Part } = chosen
  return (
    <>
      <PageHead title={clientName(client)} lead={client.email}>
        <ClientStatus client={client} />
        <Flags client={client} />
        <SeeAsClient client={client} />
        <MoneyVerb client={client} name="goodwill" />
        <ClientVerbs client={client} />
        <ClientMenu client={client} />
      </PageHead>
      <PinnedNote client={client} />
      <Figures client={client} />
      <nav className={classes.tabs} aria-label={m.desk_client_title()}>
        {open.map(({ name, title }) => (
          <Link
            key={name}
            to={deskHref('client', { id: client.id, tab: name === overview.name ? undefined : name })}
            activeOptions={{ exact: true }}
            aria-current={name === chosen.name ? 'page' : undefined}
          >
            {title()}
          </Link>
        ))}
      </nav>
      <Part client={client} />
    </>
  )
}

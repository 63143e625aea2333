import type { TypeName } from '@portico/contract/index.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { documentKinds, documentState } from '../../components/money/document-words.ts'
import { cardName } from '../../components/pay/card-words.ts'
import { paymentStates, purposes } from '../../components/pay/payment-words.ts'
import { TicketStatus } from '../../components/tickets/words.tsx'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { Status } from '../../ui/status.tsx'
import { signInKinds } from '../client/sign-ins.tsx'
import type { Client } from '../client/words.tsx'
import { LetterKind, letterStates } from '../queues/columns.tsx'
import { deskHref } from '../routes.ts'
import { lineOf, type Source } from './line.ts'

/** An event as the line shows it: the part of the client's page that has more, the sentence, and how it stands. */
export type ClientEvent = {
  readonly key: string
  readonly at: string
  readonly kind: ReactNode
  readonly text: ReactNode
  readonly state?: ReactNode
}

type Read<T extends TypeName> = {
  readonly type: T
  readonly query: ReturnType<typeof list<T, never>>
  readonly event: (row: Row<T>) => Omit<ClientEvent, 'key'>
}

/** The rows of a client that a source reads. */
type Shown = { readonly filter: { readonly client_id: number }; readonly page: { readonly size: number } }

const read = <T extends TypeName>(source: Read<T>): Read<T> => source

const tab = (id: number, name: string, said: string) => (
  <Link to={deskHref('client', { id, tab: name })}>{said}</Link>
)

/** The language of what people wrote, which may be any. */
const unknown = ''

const joined = (...parts: (string | null | false)[]) => parts.filter(Boolean).join(' · ')

const payments = (client: Client, shown: Shown) =>
  read({
    type: 'transactions',
    query: list('transactions', { ...shown, sort: '-createdAt' }),
    event: ({ createdAt, purpose, gross, currency, card_brand, card_last4: last, status }) => ({
      at: createdAt,
      kind: tab(client.id, 'payments', m.desk_event_payment()),
      text: joined(money(gross, currency), purposes[purpose](), last !== null && cardName(card_brand, last)),
      state: <Status tone={paymentStates[status].tone}>{paymentStates[status].name()}</Status>,
    }),
  })

const documents = (client: Client, shown: Shown) =>
  read({
    type: 'invoices',
    query: list('invoices', { ...shown, sort: '-issue_date' }),
    event: (document) => {
      const { tone, name } = documentState(document)
      return {
        at: document.createdAt,
        kind: tab(client.id, 'documents', documentKinds[document.kind]()),
        text: joined(document.full_number, money(document.total, document.currency)),
        state: <Status tone={tone}>{name()}</Status>,
      }
    },
  })

const tickets = (client: Client, shown: Shown) =>
  read({
    type: 'tickets',
    query: list('tickets', { ...shown, sort: '-createdAt' }),
    event: ({ id, createdAt, subject, status }) => ({
      at: createdAt,
      kind: tab(client.id, 'tickets', m.desk_event_ticket()),
      text: (
        <Link to={deskHref('ticket', { id })} lang={unknown}>
          {subject}
        </Link>
      ),
      state: <TicketStatus state={status} side="staff" />,
    }),
  })

const letters = (client: Client, shown: Shown) =>
  read({
    type: 'desk-letters',
    query: list('desk-letters', { ...shown, sort: '-createdAt' }),
    event: ({ createdAt, kind, state }) => ({
      at: createdAt,
      kind: tab(client.id, 'letters', m.desk_event_letter()),
      text: <LetterKind kind={kind} />,
      state: <Status tone={letterStates[state].tone}>{letterStates[state].name()}</Status>,
    }),
  })

const notes = (client: Client, shown: Shown) =>
  read({
    type: 'client-notes',
    query: list('client-notes', { ...shown, sort: '-createdAt' }),
    event: ({ createdAt, author_name, body }) => ({
      at: createdAt,
      kind: tab(client.id, 'notes', m.desk_note()),
      text: <span lang={unknown}>{joined(author_name, body)}</span>,
    }),
  })

const signIns = (client: Client, shown: Shown) =>
  read({
    type: 'desk-sign-ins',
    query: list('desk-sign-ins', { ...shown, sort: '-at' }),
    event: ({ at, kind, ip }) => ({
      at,
      kind: tab(client.id, 'sign-ins', m.desk_event_sign_in()),
      text: joined(signInKinds[kind](), ip),
    }),
  })

const acts = (client: Client, shown: Shown) =>
  read({
    type: 'staff-actions',
    query: list('staff-actions', { ...shown, sort: '-at' }),
    event: ({ at, admin_name, caller, verb, reason }) => ({
      at,
      kind: tab(client.id, 'log', m.desk_event_staff()),
      text: (
        <>
          {admin_name ?? caller} <code>{verb}</code>{' '}
          <span lang={unknown}>{reason !== 'routine' && reason}</span>
        </>
      ),
    }),
  })

/** The newest events of one kind; nothing while the reader may not see them. */
function useSource<T extends TypeName>({ type, query, event }: Read<T>, isOpen = true) {
  const { data, error, refetch } = useQuery({ ...query, placeholderData: keepPreviousData, enabled: isOpen })
  const events = data?.items.map((row) => ({ ...event(row), key: `${type} ${row.id}` })) ?? []
  const source: Source<ClientEvent> = { events, isWhole: !isOpen || data?.page.total === events.length }
  return { source: data || !isOpen ? source : undefined, error, refetch }
}

/** The events of a client of every kind that the reader may see, on one line; undefined while they load. */
export function useEvents(client: Client, size: number) {
  const shown = { filter: { client_id: client.id }, page: { size } }
  const all = [
    useSource(payments(client, shown)),
    useSource(documents(client, shown)),
    useSource(tickets(client, shown)),
    useSource(letters(client, shown)),
    useSource(notes(client, shown)),
    useSource(signIns(client, shown)),
    useSource(acts(client, shown), client.may.readLog),
  ]
  const sources = all.flatMap(({ source }) => source ?? [])
  const failed = all.filter(({ error }) => error !== null)
  return {
    line: sources.length === all.length ? lineOf(sources) : undefined,
    error: failed[0]?.error,
    refetch: () => {
      for (const one of failed) void one.refetch()
    },
  }
}

import { useDebouncedValue } from '@mantine/hooks'
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight'
import { useQueries } from '@tanstack/react-query'
import { useUser } from '../../api/queries/user.ts'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { stateName, useSide } from '../tickets/words.tsx'
import { usePlaces } from './use-places.tsx'

/** Debounce: waits for the end of a word, so that not every letter is a call. */
const typingPause = 250
/** A single letter matches nearly everything. */
const leastLetters = 2
/** Results per kind: with more of them, typing on is quicker than reading. */
const mostFound = 5
/** Accounts of others that are searched; people with more use the search of the tickets page. */
const mostAccounts = 4

const page = { size: mostFound }

const ticketsOf = (client_id: number | undefined, search: string) =>
  list('tickets', {
    filter: { client_id, search },
    fields: { tickets: ['number', 'subject', 'status'] },
    sort: '-last_message_at',
    page,
  })

const invoicesOf = (client_id: number, search: string) =>
  list('invoices', {
    filter: { client_id, search },
    fields: { invoices: ['client_id', 'full_number', 'issue_date', 'total', 'currency'] },
    sort: '-issue_date',
    page,
  })

type Answer<R> = { data: { items: readonly R[] } | undefined; isError: boolean; isFetching: boolean }

/** Merges the responses of several accounts. */
const together = <R>(answers: readonly Answer<R>[]) => ({
  items: answers.flatMap(({ data }) => data?.items ?? []),
  isError: answers.some(({ isError }) => isError),
  isFetching: answers.some(({ isFetching }) => isFetching),
})

/**
 * The accounts whose tickets and documents the person can read: staff read all tickets and have no page of
 * documents.
 */
function useAccounts(): { tickets: (number | undefined)[]; invoices: number[] } {
  const { staff, access } = useUser()
  if (staff !== null) return { tickets: [undefined], invoices: [] }
  return { tickets: access.tickets.slice(0, mostAccounts), invoices: access.billing.slice(0, mostAccounts) }
}

function useAnswers(search: string) {
  const accounts = useAccounts()
  const asked = search.length >= leastLetters
  const enabled = asked
  const tickets = useQueries({
    queries: accounts.tickets.map((client) => ({ ...ticketsOf(client, search), enabled })),
    combine: together<Row<'tickets'>>,
  })
  const invoices = useQueries({
    queries: accounts.invoices.map((client) => ({ ...invoicesOf(client, search), enabled })),
    combine: together<Row<'invoices'>>,
  })
  return { tickets, invoices }
}

/**
 * Replaces results that failed to load. It carries the search text, so that the palette's filter keeps it.
 */
const failed = (kind: string, search: string): SpotlightActionData => ({
  id: `failed-${kind}`,
  label: m.palette_failed(),
  keywords: search,
  disabled: true,
})

/** Tickets and documents that the server finds, and whether a search is still running. */
export function useFound(query: string): { groups: SpotlightActionGroupData[]; isComing: boolean } {
  const typed = query.trim()
  const [search] = useDebouncedValue(typed, typingPause)
  const { tickets, invoices } = useAnswers(search)
  const place = usePlaces()
  const side = useSide()
  const { id: own } = useUser()
  const groups = [
    {
      group: m.tickets_title(),
      actions: [
        ...tickets.items.map(({ id, subject, number, status }) =>
          place({
            id: `ticket-${id}`,
            label: subject,
            description: `${number} · ${stateName(status, side)}`,
            to: href('view-ticket', { id }),
          }),
        ),
        ...(tickets.isError ? [failed('tickets', search)] : []),
      ],
    },
    {
      group: m.invoices_title(),
      actions: [
        ...invoices.items.map(({ id, client_id, full_number, issue_date, total, currency }) =>
          place({
            id: `invoice-${id}`,
            label: full_number,
            description: `${dayInWords(issue_date, language())} · ${money(total, currency)}`,
            to: href('billing'),
            search: { ...(client_id !== own && { account: client_id }), invoice: full_number },
          }),
        ),
        ...(invoices.isError ? [failed('invoices', search)] : []),
      ],
    },
  ]
  const isComing =
    typed.length >= leastLetters && (typed !== search || tickets.isFetching || invoices.isFetching)
  return { groups, isComing }
}

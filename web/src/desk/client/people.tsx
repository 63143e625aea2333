import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { inALine, untilInWords } from '../../components/permissions/permission-line.ts'
import type { Column } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Status } from '../../ui/status.tsx'
import { ClientTable, useOwnView } from './tables.tsx'
import type { Client } from './words.tsx'

type Person = Row<'share-invitations', 'permission'>

function State({ accepted, link_expires_at }: Person) {
  if (accepted) return <Status tone="good">{m.invite_accepted()}</Status>
  // A link that has run out waits for the client to send another.
  return Date.parse(link_expires_at) < Date.now() ? (
    <Status tone="warn">{m.invite_link_expired()}</Status>
  ) : (
    <Status tone="idle">{m.invite_sent()}</Status>
  )
}

const columns = (): Column<Person>[] => [
  { name: 'name', label: m.column_name(), cell: ({ full_name }) => full_name },
  { name: 'email', label: m.email(), cell: ({ invited_email }) => invited_email },
  { name: 'status', label: m.column_status(), cell: (person) => <State {...person} /> },
  {
    name: 'may',
    label: m.desk_people_may(),
    wide: true,
    cell: ({ permission }) =>
      permission && [inALine(permission.permissions), untilInWords(permission)].filter(Boolean).join(' · '),
  },
  {
    name: 'since',
    label: m.desk_column_since(),
    cell: ({ accepted_at, createdAt }) => <When moment={accepted_at ?? createdAt} />,
  },
]

/** Whom a client lets into their account, and with what. */
export function People({ client: { id } }: { client: Client }) {
  const [view, change] = useOwnView()
  const query = useQuery({
    ...list('share-invitations', {
      filter: { client_id: id },
      include: ['permission'],
      sort: '-createdAt',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <ClientTable
      caption={m.desk_tab_people()}
      columns={columns()}
      query={query}
      view={view}
      onChange={change}
      none={m.desk_people_none()}
    />
  )
}

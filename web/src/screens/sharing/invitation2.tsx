import { Button } from '@mantine/core'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { queryClient } from '../../api/client.ts'
import { fullName, userQuery } from '../../api/queries/user.ts'
import { action, list, one } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { toward } from '../../components/guest/search.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { Pending } from '../../components/loaded.tsx'
import { MayList } from '../../components/permissions/may-list.tsx'
import { untilInWords } from '../../components/permissions/permission-line.ts'
import { type Effective, effectiveInWords } from '../../components/permissions/permission-sentences.ts'
import { href } from '../../routes.ts'
import { accessToken } from '../../stores/session.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { Bone } from '../../ui/loading/bones.tsx'
import { IconTeam } from '../../ui/more-icons.tsx'
import { Section, SectionBody, SectionFoot } from '../../ui/section.tsx'

type Permission = Row<'share-permissions'>

const permissionOf = (owner: number) =>
  list('share-permissions', { filter: { client_id: owner }, page: { size: 1 } })

function Opened({ effective: { panels } }: { effective: Effective }) {
  const [panel] = panels
  return (
    <SectionFoot>
      <Button component="a" href={href('dashboard')} variant={panel ? 'default' : 'filled'}>
        {m.invitation2_go()}
      </Button>
      {panel && (
        <Button component="a" href={href('dashboard', { panel_id: panel.id })}>
          {m.invitation2_first({ name: panel.name })}
        </Button>
      )}
    </SectionFoot>
  )
}

function Permitted({ permission }: { permission: Permission }) {
  const { id, inviting_client_id } = permission
  const query = useQuery(action('share-permissions', 'effective', { id, payload: {} }))
  const owner = useQuery(one('clients', inviting_client_id)).data
  const until = untilInWords(permission)
  return (
    <Section
      id={`by-${id}`}
      title={owner ? m.invitation2_by({ name: fullName(owner) }) : m.loading()}
      lead={until}
    >
      <SectionBody>
        {query.isError && !query.data && (
          <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
        )}
        {query.isPending && <Bone height={120} />}
        {query.data && <MayList lines={effectiveInWords(query.data)} />}
      </SectionBody>
      {query.data && <Opened effective={query.data} />}
    </Section>
  )
}

function Owner({ id }: { id: number }) {
  const query = useQuery(permissionOf(id))
  if (query.data)
    return query.data.items.map((permission) => <Permitted key={permission.id} permission={permission} />)
  return (
    <Pending query={query}>
      <Bone height={240} />
    </Pending>
  )
}

function Owners() {
  const query = useQuery(userQuery)
  const user = query.data
  if (!user)
    return (
      <Pending query={query}>
        <Bone height={240} />
      </Pending>
    )
  const { billing, tickets, my_workspaces } = user.access
  const owners = [...new Set([...my_workspaces, ...billing, ...tickets])].filter((id) => id !== user.id)
  if (owners.length === 0)
    return (
      <div className="card">
        <Empty
          icon={<IconTeam size={20} />}
          title={m.invitation2_none_title()}
          text={m.invitation2_none_text()}
        >
          <Button component="a" href={href('dashboard')}>
            {m.invitation2_go()}
          </Button>
        </Empty>
      </div>
    )
  return (
    <div style={{ display: 'grid', gap: 24 }}>
      {owners.map((id) => (
        <Owner key={id} id={id} />
      ))}
    </div>
  )
}

/** The first page of an invited person: their permissions by owner, and a link into each. */
export default function Invitation2Screen() {
  if (accessToken() === undefined)
    return (
      <>
        <PageHead title={m.invitation2_title()} lead={m.invitation2_sign_in()} />
        <Button component="a" href={toward(href('login'), href('invitation2'))}>
          {m.login_title()}
        </Button>
      </>
    )
  return (
    <QueryClientProvider client={queryClient}>
      <PageHead title={m.invitation2_title()} lead={m.invitation2_lead()} />
      <Owners />
    </QueryClientProvider>
  )
}

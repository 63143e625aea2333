import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useWorkspaces } from '../api/queries/workspaces.ts'
import { list } from '../api/query.ts'
import { PageHead } from '../components/layout/page-head.tsx'
import { LoadFailure } from '../components/load-failure.tsx'
import type { Known } from '../components/permissions/choices.ts'
import { untilInWords } from '../components/permissions/permission-line.ts'
import {
  type Permission,
  type Reach,
  type Thing,
  whoReachesPanel,
  whoReachesWorkspace,
} from '../components/sharing/reach.ts'
import { Revoke } from '../components/sharing/revoke.tsx'
import { href } from '../routes.ts'
import { m } from '../texts/compiled/messages.js'
import { Bone } from '../ui/loading/bones.tsx'
import { Section, SectionBody, SectionList, SectionRow } from '../ui/section.tsx'
import classes from './delegate-access.module.css'

const permissionsQuery = list('share-permissions', { include: ['invitation'], page: { size: 100 } })

const reasons = {
  all: m.delegate_by_all,
  workspace: m.delegate_by_workspace,
  part: m.delegate_by_part,
  panel: m.delegate_by_panel,
}

type Asked = { reach: Reach; thing: Thing }

type PeopleProps = {
  thing: Thing
  people: readonly Reach[]
  onRevoke: (asked: Asked) => void
}

/** The people with access to one workspace or panel. */
function People({ thing, people, onRevoke }: PeopleProps) {
  const { name } = thing.panel ?? thing.workspace
  if (people.length === 0) return <p className={classes.nobody}>{m.delegate_nobody()}</p>
  return (
    <SectionList label={m.delegate_people_of({ name })}>
      {people.map((reach) => {
        const { permission, person, by } = reach
        const why = [reasons[by](), !person.accepted && m.delegate_waiting(), untilInWords(permission)]
        return (
          <SectionRow
            key={permission.id}
            title={
              <Link to={href('edit-permissions', { invitation_id: person.id })}>{person.full_name}</Link>
            }
            text={why.filter(Boolean).join(' · ')}
          >
            <Button
              size="xs"
              variant="default"
              aria-label={m.delegate_revoke_one({ name: person.full_name, thing: name })}
              onClick={() => onRevoke({ reach, thing })}
            >
              {m.delegate_revoke()}
            </Button>
          </SectionRow>
        )
      })}
    </SectionList>
  )
}

type WorkspaceProps = {
  workspace: Known
  permissions: readonly Permission[]
  onRevoke: (asked: Asked) => void
}

/** A workspace with its panels, and the people with access to each. */
function Workspace({ workspace, permissions, onRevoke }: WorkspaceProps) {
  return (
    <Section id={`workspace-${workspace.id}`} title={workspace.name}>
      <div className={classes.things}>
        <h3>{m.delegate_whole()}</h3>
        <People
          thing={{ workspace }}
          people={whoReachesWorkspace(permissions, workspace)}
          onRevoke={onRevoke}
        />
        {workspace.panels.map((panel) => (
          <div key={panel.id}>
            <h3>{panel.name}</h3>
            <People
              thing={{ workspace, panel }}
              people={whoReachesPanel(permissions, workspace, panel.id)}
              onRevoke={onRevoke}
            />
          </div>
        ))}
      </div>
    </Section>
  )
}

/**
 * The owner's view of access by resource, with the reason for each person's access and a button to end it.
 */
export default function DelegateAccessScreen() {
  const { query, all } = useWorkspaces()
  const permissions = useQuery(permissionsQuery)
  const [asked, setAsked] = useState<Asked>()
  const failed = [query, permissions].find(({ isError, data }) => isError && !data)
  return (
    <>
      <PageHead title={m.delegate_access_title()} lead={m.delegate_lead()}>
        <Button component={Link} to={href('team-members')} variant="default">
          {m.team_title()}
        </Button>
      </PageHead>
      {failed && <LoadFailure error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && !(query.data && permissions.data) && (
        <SectionBody>
          <Bone height={160} />
        </SectionBody>
      )}
      {permissions.data && (
        <div className={classes.workspaces}>
          {all.map((workspace) => (
            <Workspace
              key={workspace.id}
              workspace={workspace}
              permissions={permissions.data.items}
              onRevoke={setAsked}
            />
          ))}
        </div>
      )}
      {asked && <Revoke {...asked} workspaces={all} onClose={() => setAsked(undefined)} />}
    </>
  )
}

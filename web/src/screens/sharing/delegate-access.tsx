import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useWorkspaces } from '../../api/queries/workspaces.ts'
import { wholeList } from '../../api/query.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { InParts } from '../../components/many/in-parts.tsx'
import type { Known } from '../../components/permissions/choices.ts'
import { untilInWords } from '../../components/permissions/permission-line.ts'
import {
  type Counting,
  counting,
  type Permission,
  type Reach,
  type Thing,
  whoReachesPanel,
  whoReachesWorkspace,
} from '../../components/sharing/reach.ts'
import { Revoke } from '../../components/sharing/revoke.tsx'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { Bone } from '../../ui/loading/bones.tsx'
import { IconTeam } from '../../ui/more-icons.tsx'
import { SectionBody } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import classes from './delegate-access.module.css'

const permissionsQuery = wholeList('share-permissions', { include: ['invitation'] })

const reasons = {
  all: m.delegate_by_all,
  workspace: m.delegate_by_workspace,
  part: m.delegate_by_part,
  panel: m.delegate_by_panel,
}

/** An icon: the button has a name. */
const cross = '×'
const none = '–'

type Asked = { reach: Reach; thing: Thing }

type CellProps = { thing: Thing; reach: Reach | undefined; onRevoke: (asked: Asked) => void }

/** Whether a person reaches a workspace or panel, and the way to end it. */
function Cell({ thing, reach, onRevoke }: CellProps) {
  const { name } = thing.panel ?? thing.workspace
  if (!reach) return <td className={classes.none}>{none}</td>
  return (
    <td>
      <Button
        size="compact-xs"
        variant="light"
        rightSection={cross}
        title={m.delegate_revoke_one({ name: reach.person.full_name, thing: name })}
        onClick={() => onRevoke({ reach, thing })}
      >
        <span className="unseen">
          {m.delegate_revoke_one({ name: reach.person.full_name, thing: name })}{' '}
        </span>
        {reasons[reach.by]()}
      </Button>
    </td>
  )
}

/** A person at the head of their column. */
function Person({ permission, person }: Counting) {
  const isLate = !person.accepted && Date.parse(person.link_expires_at) < Date.now()
  const until = untilInWords(permission)
  return (
    <th scope="col">
      <Link to={href('edit-permissions', { invitation_id: person.id })}>{person.full_name}</Link>
      {!person.accepted && !isLate && <Status tone="idle">{m.delegate_waiting()}</Status>}
      {isLate && <Status tone="warn">{m.invite_link_expired()}</Status>}
      {until && <span className="quiet">{until}</span>}
    </th>
  )
}

const anchorOf = ({ id }: Known) => `workspace-${id}`

/** The workspaces with their panels after them. The one that the address points to is first in a long list. */
function useThings(workspaces: readonly Known[]): Thing[] {
  const asked = useLocation({ select: ({ hash }) => hash })
  const isFirst = (workspace: Known) => Number(anchorOf(workspace) === asked)
  return workspaces
    .toSorted((a, b) => isFirst(b) - isFirst(a))
    .flatMap((workspace) => [{ workspace }, ...workspace.panels.map((panel) => ({ workspace, panel }))])
}

const namesOf = ({ workspace, panel }: Thing) => (panel ? [panel.name, workspace.name] : [workspace.name])

type MatrixProps = {
  /** Workspaces and panels. A panel brings the row of its workspace. */
  things: readonly Thing[]
  permissions: readonly Permission[]
  onRevoke: (asked: Asked) => void
}

/** People by workspaces and their panels. */
function Matrix({ things, permissions, onRevoke }: MatrixProps) {
  const people = counting(permissions)
  const row = (thing: Thing, reaches: readonly Reach[]) =>
    people.map(({ permission }) => (
      <Cell
        key={permission.id}
        thing={thing}
        reach={reaches.find((one) => one.permission.id === permission.id)}
        onRevoke={onRevoke}
      />
    ))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls focused elements only.
    <section className={`card ${classes.matrix}`} tabIndex={0} aria-label={m.delegate_access_title()}>
      <table>
        <caption className="unseen">{m.delegate_lead()}</caption>
        <thead>
          <tr>
            <td />
            {people.map((one) => (
              <Person key={one.permission.id} {...one} />
            ))}
          </tr>
        </thead>
        {[...Map.groupBy(things, ({ workspace }) => workspace)].map(([workspace, inside]) => (
          <tbody key={workspace.id} id={anchorOf(workspace)}>
            <tr>
              <th scope="row">{workspace.name}</th>
              {row({ workspace }, whoReachesWorkspace(permissions, workspace))}
            </tr>
            {inside.map(
              ({ panel }) =>
                panel && (
                  <tr key={panel.id}>
                    <th scope="row" className={classes.panel}>
                      {panel.name}
                    </th>
                    {row({ workspace, panel }, whoReachesPanel(permissions, workspace, panel.id))}
                  </tr>
                ),
            )}
          </tbody>
        ))}
      </table>
    </section>
  )
}

/**
 * The owner's view of access: people by resource, with the reason for each access and a button to end it.
 */
export default function DelegateAccessScreen() {
  const { query, all } = useWorkspaces()
  const permissions = useQuery(permissionsQuery)
  const [asked, setAsked] = useState<Asked>()
  const things = useThings(all)
  const people = permissions.data?.items ?? []
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
      {permissions.data && counting(people).length === 0 && (
        <div className="card">
          <Empty icon={<IconTeam size={20} />} title={m.team_empty_title()} text={m.team_empty_text()} />
        </div>
      )}
      {query.data && permissions.data && counting(people).length > 0 && (
        <InParts items={things} namesOf={namesOf} count={m.delegate_found}>
          {(shown) => <Matrix things={shown} permissions={people} onRevoke={setAsked} />}
        </InParts>
      )}
      {asked && <Revoke {...asked} workspaces={all} onClose={() => setAsked(undefined)} />}
    </>
  )
}

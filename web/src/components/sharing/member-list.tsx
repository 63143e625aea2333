import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { asFailure } from '../../api/failure.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconAlert, IconTeam } from '../../ui/icons.tsx'
import { Bone } from '../../ui/loading/bones.tsx'
import { SectionBody, SectionList, SectionRow } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { inALine, untilInWords } from '../permissions/permission-line.ts'
import { type Invitation, invitationsQuery } from './invitations.ts'
import { MemberMenu } from './member-menu.tsx'
import classes from './sharing.module.css'

function State({ accepted }: Invitation) {
  return <Status tone={accepted ? 'good' : 'idle'}>{accepted ? m.invite_accepted() : m.invite_sent()}</Status>
}

/** The permissions of a person, their end, and the state of the invitation. */
function Details({ permission, accepted, link_expires_at }: Invitation) {
  if (!permission) return null
  const lines = [inALine(permission.permissions), untilInWords(permission)].filter(Boolean)
  const isLate = !accepted && Date.parse(link_expires_at) < Date.now()
  return (
    <div>
      {lines.join(' · ')}
      {isLate && <div>{m.invite_link_expired()}</div>}
    </div>
  )
}

function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { details } = asFailure(error)
  return (
    <div role="alert">
      <Empty
        icon={<IconAlert size={20} />}
        title={m.team_failed_title()}
        text={[m.team_failed(), details].filter(Boolean).join('\n')}
      >
        <Button variant="default" onClick={onRetry}>
          {m.retry()}
        </Button>
      </Empty>
    </div>
  )
}

function Waiting() {
  return (
    <SectionBody>
      {['first', 'second', 'third'].map((key) => (
        <Bone key={key} height={44} />
      ))}
    </SectionBody>
  )
}

type Props = {
  /** Shows the permissions too, where there is space. */
  detailed?: boolean
  onRemove: (invitation: Invitation) => void
  /** Shown while nobody is invited. */
  invite: ReactNode
  /** Shown below the rows. */
  children?: ReactNode
}

/** The invited people, with actions for each. */
export function MemberList({ detailed = false, onRemove, invite, children }: Props) {
  const { data, isError, error, refetch } = useQuery(invitationsQuery())
  if (!data) return isError ? <LoadError error={error} onRetry={() => void refetch()} /> : <Waiting />
  if (data.items.length === 0)
    return (
      <Empty icon={<IconTeam size={20} />} title={m.team_empty_title()} text={m.team_empty_text()}>
        {invite}
      </Empty>
    )
  return (
    <div className={`${classes.list} ${detailed ? '' : classes.edge}`}>
      <SectionList label={m.team_title()}>
        {data.items.map((invitation) => (
          <SectionRow
            key={invitation.id}
            icon={<span className={classes.initials}>{invitation.initials}</span>}
            title={
              <>
                {invitation.full_name}
                <State {...invitation} />
              </>
            }
            text={
              <>
                {invitation.invited_email}
                {detailed && <Details {...invitation} />}
              </>
            }
          >
            <MemberMenu invitation={invitation} onRemove={() => onRemove(invitation)} />
          </SectionRow>
        ))}
      </SectionList>
      {children}
    </div>
  )
}

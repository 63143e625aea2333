import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconTeam } from '../../ui/more-icons.tsx'
import { SectionList, SectionRow } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { LoadedList } from '../loaded.tsx'
import { inALine, untilInWords } from '../permissions/permission-line.ts'
import { type Invitation, invitationsQuery } from './invitations.ts'
import { MemberMenu } from './member-menu.tsx'
import classes from './sharing.module.css'

function State({ accepted, link_expires_at }: Invitation) {
  if (accepted) return <Status tone="good">{m.invite_accepted()}</Status>
  const isLate = Date.parse(link_expires_at) < Date.now()
  return (
    <>
      <Status tone="idle">{m.invite_sent()}</Status>
      {isLate && <Status tone="warn">{m.invite_link_expired()}</Status>}
    </>
  )
}

/** The permissions of a person, and their end. */
function Details({ permission }: Invitation) {
  if (!permission) return null
  const lines = [inALine(permission.permissions), untilInWords(permission)].filter(Boolean)
  return <div>{lines.join(' · ')}</div>
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
  const query = useQuery(invitationsQuery())
  const empty = (
    <Empty icon={<IconTeam size={20} />} title={m.team_empty_title()} text={m.team_empty_text()}>
      {invite}
    </Empty>
  )
  const failed = { title: m.team_failed_title(), text: m.team_failed() }
  return (
    <LoadedList query={query} items={query.data?.items} empty={empty} failed={failed}>
      {(invitations) => (
        <div className={`${classes.list} ${detailed ? '' : classes.edge}`}>
          <SectionList label={m.team_title()}>
            {invitations.map((invitation) => (
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
      )}
    </LoadedList>
  )
}

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { PageHead } from '../../components/layout/page-head.tsx'
import type { Invitation } from '../../components/sharing/invitations.ts'
import { MemberList } from '../../components/sharing/member-list.tsx'
import { RemoveInvitation } from '../../components/sharing/remove-invitation.tsx'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'

/** The other people with access to the account. */
export default function TeamMembersScreen() {
  const [removing, setRemoving] = useState<Invitation>()
  const invite = (
    <Button component={Link} to={href('manage-permissions')}>
      {m.invite()}
    </Button>
  )
  return (
    <>
      <PageHead title={m.team_title()} lead={m.team_lead()}>
        <Button component={Link} to={href('delegate-access')} variant="default">
          {m.team_by_resource()}
        </Button>
        {invite}
      </PageHead>
      <div className="card">
        <MemberList detailed onRemove={setRemoving} invite={invite} />
      </div>
      {removing && <RemoveInvitation invitation={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}

import { Button, Drawer } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { href } from '../../routes.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Invitation } from '../sharing/invitations.ts'
import { MemberList } from '../sharing/member-list.tsx'
import { RemoveInvitation } from '../sharing/remove-invitation.tsx'
import sharing from '../sharing/sharing.module.css'
import '../../ui/styles/dialog.ts'

/** The members of the account, and a link to invite another. */
export function TeamDrawer() {
  const [removing, setRemoving] = useState<Invitation>()
  const invite = (
    <Button component={Link} to={href('manage-permissions')} onClick={closeOverlay}>
      {m.invite()}
    </Button>
  )
  return (
    <>
      <Drawer
        opened
        onClose={closeOverlay}
        // A dialog on top of the drawer handles the key first.
        closeOnEscape={removing === undefined}
        title={m.team_title()}
        closeButtonProps={{ 'aria-label': m.close() }}
      >
        <MemberList onRemove={setRemoving} invite={invite}>
          <div className={sharing.foot}>
            <Link to={href('team-members')} onClick={closeOverlay}>
              {m.team_all()}
            </Link>
            {invite}
          </div>
        </MemberList>
      </Drawer>
      {removing && <RemoveInvitation invitation={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}

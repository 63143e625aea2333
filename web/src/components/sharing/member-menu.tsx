import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { href } from '../../routes.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconDots } from '../../ui/icons.tsx'
import '../../ui/styles/menu.ts'
import type { Invitation } from './invitations.ts'
import { useResend } from './resend.ts'
import classes from './sharing.module.css'

type Props = { invitation: Invitation; onRemove: () => void }

/** The actions on an invited person. */
export function MemberMenu({ invitation, onRemove }: Props) {
  const why = useId()
  const { send, isSending } = useResend(invitation)
  const { id, full_name, accepted } = invitation
  return (
    <Menu width={220}>
      <Menu.Target>
        <button type="button" className={classes.more} aria-label={m.member_menu({ name: full_name })}>
          <IconDots size={18} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          to={href('edit-permissions', { invitation_id: id })}
          onClick={closeOverlay}
        >
          {m.member_manage()}
        </Menu.Item>
        <Menu.Item
          disabled={accepted || isSending}
          {...(accepted && { 'aria-describedby': why })}
          onClick={send}
        >
          {m.member_resend()}
        </Menu.Item>
        {accepted && <Menu.Label id={why}>{m.member_resend_accepted()}</Menu.Label>}
        <Menu.Item color="var(--bad)" onClick={onRemove}>
          {m.member_remove()}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

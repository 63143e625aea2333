import { Link } from '@tanstack/react-router'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import bar from '../top-bar/top-bar.module.css'
import { UserButton } from '../top-bar/top-bar.tsx'
import { InviteLayout } from './invite-layout.tsx'

/** The layout of pages about the team: the brand, the way home, and the person. */
export function BareLayout() {
  return (
    <InviteLayout>
      <Link to={href('dashboard')} className={`${bar.part} ${bar.home}`}>
        {m.to_dashboard()}
      </Link>
      <span className={bar.space} />
      <UserButton className="" />
    </InviteLayout>
  )
}

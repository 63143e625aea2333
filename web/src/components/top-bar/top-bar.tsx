import { useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { fullName, initials, useUser } from '../../api/queries/user.ts'
import { useWorkspaces } from '../../api/queries/workspaces.ts'
import { href } from '../../routes.ts'
import { openOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconBell, IconChevron, IconMenu, IconMoon, IconSearch, IconShare, IconSun } from '../../ui/icons.tsx'
import { WhenIdle } from '../../ui/loading/late.tsx'
import { LateMenu } from '../../ui/loading/late-menu.tsx'
import { Logo } from '../../ui/logo.tsx'
import classes from './top-bar.module.css'
import { UnreadDot } from './unread-dot.tsx'
import { WaitingDot } from './waiting-dot.tsx'

function WorkspaceButton() {
  const { all, current, query } = useWorkspaces()
  // A list that failed to load is not shown as an empty one.
  const nameless = query.data ? m.workspace_none : m.workspace
  return (
    <LateMenu of={null} load={async () => (await import('./workspace-menu.tsx')).WorkspaceMenu}>
      <button type="button" className={`${classes.item} ${classes.workspace}`} aria-haspopup="menu">
        <span className="unseen">{m.workspace_current()}</span>
        <span className={classes.label}>{current?.name ?? (query.isPending ? m.loading() : nameless())}</span>
        {query.data && (
          <>
            <span className={`${classes.count} numbers`}>{all.length}</span>
            <span className="unseen">{m.workspaces_in_all()}</span>
          </>
        )}
        <IconChevron size={16} aria-hidden="true" />
      </button>
    </LateMenu>
  )
}

/** The label of the key on keyboards, the same in every language. */
const paletteKey = () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K')

function ThemeToggle() {
  const { toggleColorScheme } = useMantineColorScheme()
  return (
    <button
      type="button"
      className={`${classes.item} ${classes.square} ${classes.wide}`}
      aria-label={m.theme_toggle()}
      onClick={toggleColorScheme}
    >
      <IconMoon className={classes.moon} size={18} aria-hidden="true" />
      <IconSun className={classes.sun} size={18} aria-hidden="true" />
    </button>
  )
}

function UserButton() {
  const user = useUser()
  return (
    <LateMenu of={null} load={async () => (await import('./user-menu.tsx')).UserMenu}>
      <button type="button" className={`${classes.item} ${classes.wide}`} aria-haspopup="menu">
        <span className={classes.avatar} aria-hidden="true">
          {initials(user)}
        </span>
        <span className="unseen">{m.user_menu()}</span>
        <span>{fullName(user)}</span>
      </button>
    </LateMenu>
  )
}

/** The bar of all signed-in pages; on a phone most of it moves into a drawer. */
export function TopBar() {
  const { staff } = useUser()
  const isStaff = staff !== null
  const isWorking = !staff?.needs_second_factor
  const open = (kind: 'team' | 'notifications' | 'palette' | 'bar') => () => openOverlay({ kind })
  return (
    <header className={classes.bar}>
      <div className={classes.inner}>
        <Link to={href('dashboard')} className={classes.logo} aria-label={m.logo()}>
          <Logo size={28} />
        </Link>
        {!isStaff && <span className={classes.slash} />}
        {!isStaff && <WorkspaceButton />}
        <span className={classes.space} />
        {isWorking && (
          <button
            type="button"
            className={`${classes.item} ${classes.outlined} ${classes.search} ${classes.wide}`}
            aria-keyshortcuts="Control+K Meta+K"
            onClick={open('palette')}
          >
            <IconSearch size={16} aria-hidden="true" />
            <span className={classes.label}>{m.search()}</span>
            <kbd aria-hidden>{paletteKey()}</kbd>
          </button>
        )}
        {!isStaff && (
          <button type="button" className={`${classes.item} ${classes.wide}`} onClick={open('team')}>
            <IconShare size={18} aria-hidden="true" />
            <span>{m.share_access()}</span>
            <WhenIdle>
              <WaitingDot />
            </WhenIdle>
          </button>
        )}
        <ThemeToggle />
        {isWorking && (
          <button
            type="button"
            className={`${classes.item} ${classes.square} ${classes.wide}`}
            onClick={open('notifications')}
          >
            <IconBell size={18} aria-hidden="true" />
            <span className="unseen">{m.notifications()}</span>
            <WhenIdle>
              <UnreadDot />
            </WhenIdle>
          </button>
        )}
        <UserButton />
        <button
          type="button"
          className={`${classes.item} ${classes.square} ${classes.narrow}`}
          onClick={open('bar')}
        >
          <IconMenu size={20} aria-hidden="true" />
          <span className="unseen">{m.menu_open()}</span>
          {!isStaff && (
            <WhenIdle>
              <WaitingDot />
            </WhenIdle>
          )}
          {isWorking && (
            <WhenIdle>
              <UnreadDot />
            </WhenIdle>
          )}
        </button>
      </div>
    </header>
  )
}

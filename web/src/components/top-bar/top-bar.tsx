import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { fullName, initials, useUser } from '../../api/queries/user.ts'
import { useWorkspaces } from '../../api/queries/workspaces.ts'
import { href } from '../../routes.ts'
import { openOverlay } from '../../stores/overlay.ts'
import { toggleTheme } from '../../stores/theme.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconBell, IconChevron, IconMoon, IconSearch, IconShare, IconSun } from '../../ui/icons.tsx'
import { WhenIdle } from '../../ui/loading/late.tsx'
import { LateMenu } from '../../ui/loading/late-menu.tsx'
import { Logo } from '../logo.tsx'
import { BalanceChip } from './balance-chip.tsx'
import { SentDot, UnreadCount } from './counts.tsx'
import { Navigation } from './navigation.tsx'
import { useScope } from './scope.ts'
import classes from './top-bar.module.css'

/** An icon: the button has a label. */
const cross = '×'

/** The current workspace, or the one that the page is filtered by. */
function WorkspaceButton() {
  const { all, current, query } = useWorkspaces()
  const scope = useScope()
  const filtered = scope && all.find(({ id }) => id === scope.id)
  // A list that failed to load is not shown as an empty one.
  const nameless = query.data ? m.workspace_none : m.workspace
  const isOfAll = scope && !filtered && all.length > 1
  const name = isOfAll ? m.workspaces_all() : (filtered ?? current)?.name
  return (
    <>
      <LateMenu of={scope} load={async () => (await import('./workspace-menu.tsx')).WorkspaceMenu}>
        <button type="button" className={`${classes.item} ${classes.workspace}`} aria-haspopup="menu">
          <span className="unseen">{m.workspace_current()}</span>
          <span className={classes.label}>{name ?? (query.isPending ? m.loading() : nameless())}</span>
          {query.data && (
            <>
              <span className={`${classes.count} numbers`}>{all.length}</span>
              <span className="unseen">{m.workspaces_in_all()}</span>
            </>
          )}
          <IconChevron size={16} aria-hidden="true" />
        </button>
      </LateMenu>
      {filtered && (
        <button
          type="button"
          className={`${classes.item} ${classes.square}`}
          aria-label={m.workspaces_all_show()}
          onClick={() => scope.choose(undefined)}
        >
          {cross}
        </button>
      )}
    </>
  )
}

function ThemeToggle() {
  return (
    <button
      type="button"
      className={`${classes.item} ${classes.square} ${classes.wide}`}
      aria-label={m.theme_toggle()}
      onClick={toggleTheme}
    >
      <IconMoon className={classes.moon} size={18} aria-hidden="true" />
      <IconSun className={classes.sun} size={18} aria-hidden="true" />
    </button>
  )
}

/** The initials; the name is hidden where the bar is narrow. */
function Avatar() {
  return (
    <span className={classes.avatar} aria-hidden="true">
      {initials(useUser())}
    </span>
  )
}

/** The person, with the menu of the account. */
export function UserButton({ className = classes.wide }: { className?: string | undefined }) {
  const user = useUser()
  return (
    <LateMenu of={null} load={async () => (await import('./user-menu.tsx')).UserMenu}>
      <button type="button" className={`${classes.item} ${className}`} aria-haspopup="menu">
        <Avatar />
        <span className="unseen">{m.user_menu()}</span>
        <span className={classes.folds}>{fullName(user)}</span>
      </button>
    </LateMenu>
  )
}

type ToolProps = {
  opens: 'team' | 'notifications' | 'palette' | 'bar'
  className?: string | undefined
  keys?: string
  children: ReactNode
}

/** An icon that opens a dialog or a drawer. */
function Tool({ opens, className = classes.wide, keys, children }: ToolProps) {
  return (
    <button
      type="button"
      className={`${classes.item} ${classes.square} ${className}`}
      aria-keyshortcuts={keys}
      onClick={() => openOverlay({ kind: opens })}
    >
      {children}
    </button>
  )
}

/** The bar of all signed-in pages; on a phone most of it moves into the drawer behind the person. */
export function TopBar() {
  const { staff } = useUser()
  const isStaff = staff !== null
  const isWorking = !staff?.needs_second_factor
  return (
    <header className={classes.bar}>
      <div className={classes.inner}>
        <Link to={href('dashboard')} className={classes.logo} aria-label={m.logo()}>
          <Logo />
        </Link>
        {!isStaff && (
          <>
            <span className={classes.slash} />
            <WorkspaceButton />
            <Navigation />
          </>
        )}
        <span className={classes.space} />
        {isWorking && (
          <Tool opens="palette" keys="Control+K Meta+K">
            <IconSearch size={18} aria-hidden="true" />
            <span className="unseen">{m.search()}</span>
          </Tool>
        )}
        {!isStaff && <BalanceChip className={classes.wide} />}
        {!isStaff && (
          <Tool opens="team">
            <IconShare size={18} aria-hidden="true" />
            <span className="unseen">{m.share_access()}</span>
            <WhenIdle>
              <SentDot />
            </WhenIdle>
          </Tool>
        )}
        <ThemeToggle />
        {isWorking && (
          <Tool opens="notifications" className="">
            <IconBell size={18} aria-hidden="true" />
            <span className="unseen">{m.notifications()}</span>
            <WhenIdle>
              <UnreadCount />
            </WhenIdle>
          </Tool>
        )}
        <UserButton />
        <Tool opens="bar" className={classes.narrow}>
          <Avatar />
          <span className="unseen">{m.menu_open()}</span>
        </Tool>
      </div>
    </header>
  )
}

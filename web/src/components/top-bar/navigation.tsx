import { Link, useMatches } from '@tanstack/react-router'
import { href, type RouteName } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconActivity, IconMessages, IconPanel, IconReceipt } from '../../ui/icons.tsx'
import { WhenIdle } from '../../ui/loading/late.tsx'
import { TicketCount } from './counts.tsx'
import classes from './top-bar.module.css'

type Part = {
  readonly page: 'dashboard' | 'billing' | 'usages' | 'tickets'
  readonly name: () => string
  readonly icon: typeof IconPanel
  /** The other pages that belong to it. */
  readonly pages?: readonly RouteName[]
}

const parts: readonly Part[] = [
  { page: 'dashboard', name: m.nav_workspace, icon: IconPanel },
  {
    page: 'billing',
    name: m.billing_title,
    icon: IconReceipt,
    pages: ['billing-log', 'payment', 'add-new-card'],
  },
  { page: 'usages', name: m.nav_usage, icon: IconActivity, pages: ['pay'] },
  { page: 'tickets', name: m.tickets_title, icon: IconMessages, pages: ['view-ticket', 'add-ticket'] },
]

/** Whether a link leads to the current page, or to the part that it belongs to. */
function currentAs({ page, pages = [] }: Part, current: RouteName | undefined): 'page' | true | undefined {
  if (current === page) return 'page'
  return (current !== undefined && pages.includes(current)) || undefined
}

/** The parts of the portal: in the bar, and on a phone at the foot of the window. */
export function Navigation() {
  const current = useMatches({ select: (matches) => matches.at(-1)?.staticData.name })
  return (
    <nav className={classes.nav} aria-label={m.nav()}>
      {parts.map((part) => (
        <Link
          key={part.page}
          to={href(part.page)}
          className={classes.part}
          aria-current={currentAs(part, current)}
        >
          <part.icon size={18} aria-hidden="true" />
          <span className={classes.name}>{part.name()}</span>
          {part.page === 'tickets' && (
            <WhenIdle>
              <TicketCount />
            </WhenIdle>
          )}
        </Link>
      ))}
    </nav>
  )
}

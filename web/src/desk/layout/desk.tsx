import { QueryClientProvider } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { queryClient } from '../../api/client.ts'
import { WhenAsked } from '../../components/dialogs/when-asked.tsx'
import { Logo } from '../../components/logo.tsx'
import { Notices } from '../../components/notices/notices.tsx'
import { openOverlay, useOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { lazily } from '../../ui/loading/lazily.ts'
import { IconMenu } from '../../ui/more-icons.tsx'
import { deskHref } from '../routes.ts'
import classes from './desk.module.css'
import { useKeys } from './keys.ts'
import { Navigation } from './navigation.tsx'
import { useLostSession } from './session.tsx'

const Overlays = lazily(async () => (await import('./overlays.tsx')).Overlays)

function Brand() {
  return (
    <Link to={deskHref('home')} className={classes.brand}>
      <Logo />
      <span>{m.desk_of()}</span>
    </Link>
  )
}

function Frame() {
  useKeys()
  const { kind } = useOverlay()
  return (
    <div className={classes.frame}>
      <header className={classes.bar}>
        <Brand />
        <button type="button" className={classes.menu} onClick={() => openOverlay({ kind: 'bar' })}>
          <IconMenu size={20} aria-hidden="true" />
          <span className="unseen">{m.menu_open()}</span>
        </button>
      </header>
      <div className={classes.side}>
        <Navigation />
      </div>
      <main id="main" tabIndex={-1} className={classes.page}>
        <Outlet />
      </main>
      <Suspense>{kind !== 'none' && <Overlays />}</Suspense>
      <Notices />
    </div>
  )
}

/** The navigation at the left, and the page. */
export function Desk() {
  useLostSession()
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
      <WhenAsked />
    </QueryClientProvider>
  )
}

import { Outlet, useMatches } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Suspense } from 'react'
import { href } from '../../routes.ts'
import { useOverlay } from '../../stores/overlay.ts'
import { WhenIdle } from '../../ui/loading/late.tsx'
import { lazily } from '../../ui/loading/lazily.ts'
import { Notices } from '../notices/notices.tsx'
import { WarningBanner } from '../notices/warning-banner.tsx'
import { TopBar } from '../top-bar/top-bar.tsx'
import { useKeys } from './keys.ts'
import classes from './page.module.css'

const Last = lazily(async () => (await import('./last.tsx')).Last)
const Overlays = lazily(async () => (await import('./overlays.tsx')).Overlays)

/** The bar, the banners, and the page. */
export function MainLayout({ children = <Outlet /> }: { children?: ReactNode }) {
  useKeys()
  const { kind } = useOverlay()
  const isDashboard = useMatches({ select: (matches) => matches.at(-1)?.pathname === href('dashboard') })
  return (
    <>
      <TopBar />
      <WarningBanner isDashboard={isDashboard} />
      <main id="main" tabIndex={-1} className={classes.page}>
        {children}
      </main>
      <WhenIdle>
        <Suspense>
          <Last />
        </Suspense>
      </WhenIdle>
      <Suspense>{kind !== 'none' && <Overlays />}</Suspense>
      <Notices />
    </>
  )
}

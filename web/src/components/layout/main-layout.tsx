import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Suspense } from 'react'
import { useOverlay } from '../../stores/overlay.ts'
import { WhenIdle } from '../../ui/late.tsx'
import { lazily } from '../../ui/lazily.ts'
import { useKeys } from './keys.ts'
import { Notices } from './notices.tsx'
import classes from './page.module.css'
import { TopBar } from './top-bar.tsx'
import { WarningBanner } from './warning-banner.tsx'

const DemoRibbon = lazily(async () => (await import('./demo-ribbon.tsx')).DemoRibbon)
const Overlays = lazily(async () => (await import('./overlays.tsx')).Overlays)

/** The bar, what the person must know, and the page. */
export function MainLayout({ children = <Outlet /> }: { children?: ReactNode }) {
  useKeys()
  const { kind } = useOverlay()
  return (
    <>
      <TopBar />
      <WarningBanner />
      <main id="main" tabIndex={-1} className={classes.page}>
        {children}
      </main>
      <WhenIdle>
        <Suspense>
          <DemoRibbon />
        </Suspense>
      </WhenIdle>
      <Suspense>{kind !== 'none' && <Overlays />}</Suspense>
      <Notices />
    </>
  )
}

import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { chunk } from '../../ui/chunk.ts'
import { useLate, whenIdle } from '../../ui/late.tsx'
import { useKeys } from './keys.ts'
import { Overlays } from './overlays.tsx'
import classes from './page.module.css'
import { TopBar } from './top-bar.tsx'
import { WarningBanner } from './warning-banner.tsx'

/** Whether this is a demo is asked once there is nothing more urgent. */
function Demo() {
  const [Ribbon, wake] = useLate(() => chunk(async () => (await import('./demo-ribbon.tsx')).DemoRibbon))
  useEffect(() => whenIdle(wake))
  return Ribbon ? <Ribbon /> : null
}

/** The bar, what the person must know, and the page. */
export function MainLayout({ children = <Outlet /> }: { children?: ReactNode }) {
  useKeys()
  return (
    <>
      <TopBar />
      <WarningBanner />
      <main id="main" tabIndex={-1} className={classes.page}>
        {children}
      </main>
      <Demo />
      <Overlays />
    </>
  )
}

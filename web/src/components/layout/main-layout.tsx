import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Overlays } from './overlays.tsx'
import classes from './page.module.css'
import { TopBar } from './top-bar.tsx'
import { WarningBanner } from './warning-banner.tsx'

/** The bar, what the person must know, and the page. */
export function MainLayout({ children = <Outlet /> }: { children?: ReactNode }) {
  return (
    <>
      <TopBar />
      <WarningBanner />
      <main id="main" tabIndex={-1} className={classes.page}>
        {children}
      </main>
      <Overlays />
    </>
  )
}

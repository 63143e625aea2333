import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { Logo } from '../logo.tsx'
import { Notices } from '../notices/notices.tsx'
import bar from '../top-bar/top-bar.module.css'
import classes from './page.module.css'

/** The layout of the invitation form: only the brand, so that nothing distracts. */
export function InviteLayout({ children }: { children?: ReactNode }) {
  return (
    <>
      <header className={bar.bar}>
        <div className={bar.inner}>
          <a href={href('dashboard')} className={bar.logo} aria-label={m.logo()}>
            <Logo />
          </a>
          {children}
        </div>
      </header>
      <main id="main" tabIndex={-1} className={`${classes.page} ${classes.invite}`}>
        <Outlet />
      </main>
      <Notices />
    </>
  )
}

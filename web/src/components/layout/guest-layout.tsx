import { Outlet } from '@tanstack/react-router'
import classes from './page.module.css'

/** What a route without a layout of its own gets: the page alone. */
export function GuestLayout() {
  return (
    <main id="main" tabIndex={-1} className={classes.page}>
      <Outlet />
    </main>
  )
}

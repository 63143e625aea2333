import { Outlet } from '@tanstack/react-router'
import classes from './page.module.css'

/** The default layout of a route: the page alone. */
export function GuestLayout() {
  return (
    <main id="main" tabIndex={-1} className={classes.page}>
      <Outlet />
    </main>
  )
}

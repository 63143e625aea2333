import { Link } from '@tanstack/react-router'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './banner.module.css'

/** Redirects staff without a second factor to its settings. */
export function SecondFactorNeeded() {
  return (
    <aside aria-label={m.account_notices()}>
      <p className={classes.banner}>
        <span>{m.banner_staff_second_factor()}</span>
        <Link to={href('manage-account')} hash="two-factor">
          {m.account_two_factor()}
        </Link>
      </p>
    </aside>
  )
}

import type { Billing } from '../../api/billing.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import classes from './billing.module.css'

/** From the balance to what is available, so that everybody can add it up. */
export function Reckoning({ profile }: { profile: Billing }) {
  const { account_balance, credit_balance, uncharged_today, available } = profile
  return (
    <table className={classes.sums}>
      <caption className="unseen">{m.reckoning()}</caption>
      <tbody>
        <tr>
          <th scope="row">{m.balance()}</th>
          <td>{money(account_balance)}</td>
        </tr>
        <tr>
          <th scope="row">{m.reckoning_credit()}</th>
          <td>{money(credit_balance)}</td>
        </tr>
        <tr>
          <th scope="row">{m.reckoning_uncharged()}</th>
          <td>{money(-uncharged_today)}</td>
        </tr>
        <tr className={classes.total}>
          <th scope="row">{m.reckoning_available()}</th>
          <td>{money(available)}</td>
        </tr>
      </tbody>
    </table>
  )
}

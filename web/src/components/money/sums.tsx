import { money } from '../../ui/format.ts'
import classes from './sums.module.css'

export type SumLine = { readonly name: string; readonly amount: number }

/** A column of amounts with their total, so that readers can check the addition. */
export function Sums({ label, lines, total }: { label: string; lines: readonly SumLine[]; total: SumLine }) {
  return (
    <table className={classes.sums}>
      <caption className="unseen">{label}</caption>
      <tbody>
        {lines.map(({ name, amount }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{money(amount)}</td>
          </tr>
        ))}
        <tr className={classes.total}>
          <th scope="row">{total.name}</th>
          <td>{money(total.amount)}</td>
        </tr>
      </tbody>
    </table>
  )
}

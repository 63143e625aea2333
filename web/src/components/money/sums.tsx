import { money } from '../../ui/format.ts'
import classes from './sums.module.css'

export type SumLine = { readonly name: string; readonly amount: number }

type Props = { label: string; lines: readonly SumLine[]; total: SumLine; currency: string }

/** A column of amounts with their total, so that readers can check the addition. */
export function Sums({ label, lines, total, currency }: Props) {
  return (
    <table className={classes.sums}>
      <caption className="unseen">{label}</caption>
      <tbody>
        {lines.map(({ name, amount }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{money(amount, currency)}</td>
          </tr>
        ))}
        <tr className={classes.total}>
          <th scope="row">{total.name}</th>
          <td>{money(total.amount, currency)}</td>
        </tr>
      </tbody>
    </table>
  )
}

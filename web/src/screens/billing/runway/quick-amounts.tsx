import { Button } from '@mantine/core'
import { money } from '../../../ui/format.ts'
import classes from '../billing.module.css'

type Props = { amounts: readonly number[]; currency: string; onChoose: (amount: number) => void }

/** Buttons for common amounts. */
export function QuickAmounts({ amounts, currency, onChoose }: Props) {
  return (
    <div className={classes.quick}>
      {amounts.map((amount) => (
        <Button key={amount} size="xs" variant="default" onClick={() => onChoose(amount)}>
          {money(amount, currency)}
        </Button>
      ))}
    </div>
  )
}

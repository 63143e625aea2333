import { Button } from '@mantine/core'
import { money } from '../../../ui/format.ts'
import classes from '../billing.module.css'

const amounts = [25, 50, 100] as const

/** Sums that people often pay, one press each. */
export function QuickAmounts({ onChoose }: { onChoose: (amount: number) => void }) {
  return (
    <div className={classes.quick}>
      {amounts.map((amount) => (
        <Button key={amount} size="xs" variant="default" onClick={() => onChoose(amount)}>
          {money(amount)}
        </Button>
      ))}
    </div>
  )
}

import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import { monthOf } from '../../ui/days.ts'
import { lazily } from '../../ui/loading/lazily.ts'

const WhyDialog = lazily(async () => (await import('./why-dialog.tsx')).WhyDialog)

type Props = {
  bill: Pick<Row<'invoices'>, 'full_number' | 'period_from' | 'lines'>
  account: number | undefined
}

/** On a bill of usage: why its month costs more or less than the one before. */
export function WhyBill({ bill: { full_number: number, period_from, lines }, account }: Props) {
  const [isOpen, setOpen] = useState(false)
  if (period_from === null || !lines.some(({ kind }) => kind === 'usage')) return null
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={m.why_open_one({ number })}
        onClick={() => setOpen(true)}
      >
        {m.why_open()}
      </Button>
      <Suspense>
        {isOpen && (
          <WhyDialog account={account} month={monthOf(period_from)} onClose={() => setOpen(false)} />
        )}
      </Suspense>
    </>
  )
}

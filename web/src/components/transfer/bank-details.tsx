import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { lazily } from '../../ui/loading/lazily.ts'
import type { Paid } from './bank-dialog.tsx'

const BankDialog = lazily(async () => (await import('./bank-dialog.tsx')).BankDialog)

/** Opens the bank details for paying a document by transfer. */
export function BankDetails(props: Paid) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={m.transfer_show_one({ number: props.details.reference })}
        onClick={() => setOpen(true)}
      >
        {m.transfer_show()}
      </Button>
      <Suspense>{isOpen && <BankDialog {...props} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

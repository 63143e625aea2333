import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

type Payment = Row<'transactions'>

function UndoTransfer({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { id, gross, currency } = payment
  const action = useAction('transactions', 'undoTransfer')
  const done = () => {
    onClose()
    toast(m.desk_undo_transfer_done())
  }
  return (
    <VerbDialog
      danger
      title={m.desk_undo_transfer_title({ amount: money(gross, currency) })}
      text={m.desk_undo_transfer_text()}
      verb={m.desk_undo_transfer_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id, payload: {}, headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    />
  )
}

/** Takes back a transfer that was recorded by hand by mistake, where the reader may. */
export function UndoTransferVerb({ payment }: { payment: Payment }) {
  const [isOpen, setOpen] = useState(false)
  const { may, is_by_hand, status } = payment
  return (
    <>
      {may.undoTransfer && is_by_hand && status === 'succeeded' && (
        <Button size="xs" variant="default" onClick={() => setOpen(true)}>
          {m.desk_undo_transfer()}
        </Button>
      )}
      {isOpen && <UndoTransfer payment={payment} onClose={() => setOpen(false)} />}
    </>
  )
}

import { useState } from 'react'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

/** Confirms every certain line; the server takes a hundred at once. */
export function ConfirmAll({ count, onClose }: { count: number; onClose: () => void }) {
  const action = useAction('bank-lines', 'confirmCertain')
  const [isRunning, setRunning] = useState(false)
  const run = async (reason: string) => {
    setRunning(true)
    const sum = { confirmed: 0, failed: 0 }
    try {
      for (let more = true; more; ) {
        const done = await action.mutateAsync({ payload: {}, headers: because(reason) })
        sum.confirmed += done.confirmed
        sum.failed += done.failed
        more = done.more
      }
      onClose()
      toast(m.desk_bank_confirmed(sum))
    } finally {
      setRunning(false)
    }
  }
  return (
    <VerbDialog
      title={m.desk_bank_confirm_title({ count })}
      text={m.desk_bank_confirm_text()}
      verb={m.desk_bank_confirm_verb({ count })}
      action={{ isPending: isRunning, error: action.error }}
      // The dialog shows the error.
      onConfirm={(reason) => void run(reason).catch(() => undefined)}
      onClose={onClose}
    />
  )
}

import { useAction } from '../../api/write.ts'
import { ConfirmDialog } from '../../components/dialogs/confirm.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Document } from './document-files.tsx'

type Props = { document: Document; onClose: () => void }

/** Cancels a proforma that nobody paid. */
export function CancelProforma({ document: { id, full_number: number }, onClose }: Props) {
  const action = useAction('invoices', 'cancelProforma')
  const onSuccess = () => {
    onClose()
    toast(m.proforma_cancelled({ number }))
  }
  return (
    <ConfirmDialog
      danger
      title={m.proforma_cancel_title({ number })}
      text={m.proforma_cancel_text()}
      verb={m.proforma_cancel_verb()}
      cancel={m.proforma_keep()}
      action={action}
      onConfirm={() => action.mutate({ id, payload: {} }, { onSuccess })}
      onClose={onClose}
    />
  )
}

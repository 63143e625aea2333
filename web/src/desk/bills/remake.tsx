import { useActionOnce } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

/** Makes the electronic invoice of a document again, and sends it under the same number. */
export function Remake({ id, number, onClose }: { id: number; number: string; onClose: () => void }) {
  const action = useActionOnce('invoices', 'remakeEInvoice')
  const onSuccess = () => {
    onClose()
    toast(m.desk_remake_done())
  }
  return (
    <VerbDialog
      title={m.desk_remake_title({ number })}
      text={m.desk_remake_text()}
      verb={m.desk_remake_verb()}
      action={action}
      onConfirm={(reason) => action.mutate({ id, payload: {}, headers: because(reason) }, { onSuccess })}
      onClose={onClose}
    />
  )
}

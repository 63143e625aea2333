import { useActionOnce } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { useSecond } from '../second/use-second.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import type { OfBill } from './words.ts'

/** The longest text that a credit note prints. */
const mostPrinted = 200

/** Invoices a deposit again without VAT, once the VAT number of its payer is valid. */
export function Reissue({ bill: { id, full_number: number }, onClose }: OfBill) {
  const action = useActionOnce('invoices', 'storno')
  const input = (reason: string) => ({ reason: reason.slice(0, mostPrinted) })
  const second = useSecond({ verb: 'storno', about: id, input, onClose })
  const done = () => {
    onClose()
    toast(m.desk_reissue_done())
  }
  return (
    <VerbDialog
      isRead
      second={second}
      title={m.desk_reissue_title({ number })}
      text={m.desk_reissue_text()}
      verb={m.desk_reissue_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id, payload: input(reason), headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    />
  )
}

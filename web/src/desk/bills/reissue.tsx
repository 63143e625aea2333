import { useActionOnce } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Preview } from '../second/preview.tsx'
import { useSecond } from '../second/use-second.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { mayLoseVat, type OfBill } from './words.ts'

/** Invoices a deposit again: without VAT, once the VAT number of its payer is valid, or with corrected details. */
export function Reissue({ bill, onClose }: OfBill) {
  const { id, full_number: number } = bill
  const isAgain = !mayLoseVat(bill)
  const action = useActionOnce('invoices', 'storno')
  const input = (reason: string) => ({ reason })
  const second = useSecond({ verb: 'storno', about: id, input, onClose })
  const done = ({ vat }: { readonly vat: number }) => {
    onClose()
    toast(vat > 0 ? m.desk_reissue_done() : m.desk_again_done())
  }
  return (
    <VerbDialog
      isPrinted
      second={second}
      title={isAgain ? m.desk_again_title({ number }) : m.desk_reissue_title({ number })}
      text={isAgain ? m.desk_again_text() : m.desk_reissue_text()}
      verb={isAgain ? m.desk_again_verb() : m.desk_reissue_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id, payload: input(reason), headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    >
      <Preview verb="storno" about={id} input={input} />
    </VerbDialog>
  )
}

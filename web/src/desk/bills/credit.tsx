import { useState } from 'react'
import { useActionOnce } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Preview } from '../second/preview.tsx'
import { useSecond } from '../second/use-second.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { type Content, CreditContent, contentInput, wholeBill } from './credit-content.tsx'
import { type Sent, WayFields } from './way-fields.tsx'
import type { OfBill } from './words.ts'

/** Credits a bill: whole, some of its lines, or an amount. */
export function Credit({ bill, onClose }: OfBill) {
  const { id, full_number: number, currency, paid } = bill
  const action = useActionOnce('invoices', 'creditNote')
  const [content, setContent] = useState<Content>(wholeBill)
  const [sent, setSent] = useState<Sent>({ to: 'balance', iban: '' })
  const input = (reason: string) => {
    const credited = contentInput(content, currency)
    const { to, iban } = sent
    return credited && { reason, to, ...credited, ...(to === 'bank' && { iban }) }
  }
  const second = useSecond({ verb: 'creditNote', about: id, input, onClose })
  const confirm = (reason: string) => {
    const payload = input(reason)
    if (payload === undefined) return
    action.mutate(
      { id, payload, headers: because(reason) },
      {
        onSuccess: ({ full_number }) => {
          onClose()
          toast(m.desk_credit_done({ number: full_number }))
        },
      },
    )
  }
  return (
    <VerbDialog
      isPrinted
      second={second}
      title={m.desk_credit_title({ number })}
      text={m.desk_credit_text()}
      verb={m.desk_credit_verb()}
      action={action}
      disabled={contentInput(content, currency) === undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <CreditContent bill={bill} content={content} onChange={setContent} />
      {paid > 0 && (
        <WayFields
          label={m.desk_credit_to()}
          ways={['balance', 'card', 'bank']}
          {...sent}
          onChange={setSent}
        />
      )}
      <Preview verb="creditNote" about={id} input={input} />
    </VerbDialog>
  )
}

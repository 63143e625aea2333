import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useActionOnce } from '../../api/write.ts'
import { DateField } from '../../components/dates/date-field.tsx'
import { amountIn } from '../../components/money/amount.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { sum } from '../../ui/format.ts'
import { Preview } from '../second/preview.tsx'
import { useSecond } from '../second/use-second.ts'
import { AmountField } from '../verbs/amount-field.tsx'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import type { OfBill } from './words.ts'

/** Records money that came to the bank account for a document, without a statement. */
export function RecordTransfer({ bill, onClose }: OfBill) {
  const { id, full_number: number, currency } = bill
  // Money for a written-off bill takes the loss back.
  const due = sum([bill.open, bill.written_off])
  const action = useActionOnce('invoices', 'recordBankTransfer')
  const [typed, setTyped] = useState(due > 0 ? String(due) : '')
  const [day, setDay] = useState('')
  const [reference, setReference] = useState('')
  const input = () => {
    const amount = amountIn(typed, undefined, currency)
    if (amount === undefined || day === '' || reference.trim() === '') return undefined
    return { amount, received_on: day, reference: reference.trim() }
  }
  const second = useSecond({ verb: 'recordBankTransfer', about: id, input, onClose })
  const confirm = (reason: string) => {
    const payload = input()
    if (payload === undefined) return
    const done = () => {
      onClose()
      toast(m.desk_sent_done())
    }
    action.mutate({ id, payload, headers: because(reason) }, { onSuccess: done })
  }
  return (
    <VerbDialog
      title={m.desk_arrived_title({ number })}
      text={m.desk_arrived_text()}
      verb={m.desk_sent_verb()}
      action={action}
      second={second}
      onConfirm={confirm}
      onClose={onClose}
    >
      <AmountField
        required
        label={m.desk_amount_gross()}
        currency={currency}
        value={typed}
        onChange={setTyped}
      />
      <DateField required label={m.desk_arrived_on()} value={day} onChange={setDay} />
      <TextInput
        required
        label={m.desk_sent_reference()}
        description={m.desk_arrived_reference_hint()}
        maxLength={140}
        autoComplete="off"
        value={reference}
        onChange={({ currentTarget: { value } }) => setReference(value)}
      />
      <Preview verb="recordBankTransfer" about={id} input={input} />
    </VerbDialog>
  )
}

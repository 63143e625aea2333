import { useState } from 'react'
import { useActionOnce } from '../../api/write.ts'
import { amountIn } from '../../components/money/amount.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { Preview } from '../second/preview.tsx'
import { useSecond } from '../second/use-second.ts'
import { AmountField } from '../verbs/amount-field.tsx'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import type { OfBill } from './words.ts'

/** Gives up an open bill, or a part of it. */
export function WriteOff({ bill: { id, full_number: number, currency, open }, onClose }: OfBill) {
  const action = useActionOnce('invoices', 'writeOff')
  const [typed, setTyped] = useState('')
  const input = () => {
    const amount = amountIn(typed, undefined, currency)
    return amount === undefined ? {} : { amount }
  }
  const second = useSecond({ verb: 'writeOff', about: id, input, onClose })
  const done = () => {
    onClose()
    toast(m.desk_write_off_done())
  }
  return (
    <VerbDialog
      danger
      second={second}
      title={m.desk_write_off_title({ number })}
      text={m.desk_write_off_text()}
      verb={m.desk_write_off_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id, payload: input(), headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    >
      <AmountField
        label={m.desk_amount_gross()}
        hint={m.desk_write_off_hint({ amount: money(open, currency) })}
        currency={currency}
        value={typed}
        onChange={setTyped}
      />
      <Preview verb="writeOff" about={id} input={input} />
    </VerbDialog>
  )
}

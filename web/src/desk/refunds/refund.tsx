import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useActionOnce } from '../../api/write.ts'
import { amountIn } from '../../components/money/amount.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { type Sent, WayFields } from '../bills/way-fields.tsx'
import { Preview } from '../second/preview.tsx'
import { useSecond } from '../second/use-second.ts'
import { AmountField } from '../verbs/amount-field.tsx'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

type Payment = Row<'transactions'>

function RefundDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { id, currency, gross, method } = payment
  const action = useActionOnce('transactions', 'refund')
  const [typed, setTyped] = useState('')
  const [sent, setSent] = useState<Sent>({ to: method === 'card' ? 'card' : 'bank', iban: '' })
  const input = (reason: string) => {
    const amount = amountIn(typed, undefined, currency)
    return { reason, ...(amount !== undefined && { amount }), ...(sent.to === 'bank' && { iban: sent.iban }) }
  }
  const second = useSecond({ verb: 'refund', about: id, input, onClose })
  const done = () => {
    onClose()
    toast(m.desk_refund_done())
  }
  return (
    <VerbDialog
      second={second}
      title={m.desk_refund_title({ amount: money(gross, currency) })}
      text={m.desk_refund_text()}
      verb={m.desk_refund_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id, payload: input(reason), headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    >
      <AmountField
        label={m.desk_credit_net()}
        hint={m.desk_refund_hint()}
        currency={currency}
        value={typed}
        onChange={setTyped}
      />
      <WayFields
        label={m.desk_refund_to()}
        ways={method === 'card' ? ['card', 'bank'] : ['bank']}
        {...sent}
        onChange={setSent}
      />
      <Preview verb="refund" about={id} input={input} />
    </VerbDialog>
  )
}

/** Gives back what is unused of a payment, where the reader may. */
export function RefundVerb({ payment }: { payment: Payment }) {
  const [isOpen, setOpen] = useState(false)
  if (!payment.may.refund || !payment.is_refundable) return null
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {m.desk_refund()}
      </Button>
      {isOpen && <RefundDialog payment={payment} onClose={() => setOpen(false)} />}
    </>
  )
}

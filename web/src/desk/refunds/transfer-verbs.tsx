import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { DateField } from '../../components/dates/date-field.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

type Payment = Row<'transactions'>
type Of = { payment: Payment; refund: Payment['refunds'][number]; onClose: () => void }

function Sent({ payment: { id, currency }, refund, onClose }: Of) {
  const action = useAction('transactions', 'recordSentTransfer')
  const [day, setDay] = useState('')
  const [reference, setReference] = useState('')
  const done = () => {
    onClose()
    toast(m.desk_sent_done())
  }
  return (
    <VerbDialog
      title={m.desk_sent_title({ amount: money(refund.gross, currency), end: refund.iban_end ?? '' })}
      text={m.desk_sent_text()}
      verb={m.desk_sent_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate(
          {
            id,
            payload: { refund_id: refund.id, sent_on: day, reference },
            headers: because(reason),
          },
          { onSuccess: done },
        )
      }
      onClose={onClose}
    >
      <DateField required label={m.desk_sent_on()} value={day} onChange={setDay} />
      <TextInput
        required
        label={m.desk_sent_reference()}
        maxLength={140}
        value={reference}
        onChange={({ currentTarget: { value } }) => setReference(value)}
      />
    </VerbDialog>
  )
}

function Drop({ payment: { id, currency }, refund, onClose }: Of) {
  const action = useAction('transactions', 'dropTransfer')
  const done = () => {
    onClose()
    toast(m.desk_drop_done())
  }
  return (
    <VerbDialog
      title={m.desk_drop_title({ amount: money(refund.gross, currency) })}
      text={m.desk_drop_text()}
      verb={m.desk_drop_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate(
          { id, payload: { refund_id: refund.id }, headers: because(reason) },
          { onSuccess: done },
        )
      }
      onClose={onClose}
    />
  )
}

/** Confirms a refund that staff send as a transfer, or gives it up, where the reader may. */
export function TransferVerbs({ payment }: { payment: Payment }) {
  const [open, setOpen] = useState<'sent' | 'drop'>()
  const { refunds, may } = payment
  const byTransfer = refunds.filter(({ iban_end }) => iban_end !== null)
  const due = byTransfer.find(({ status }) => status === 'pending')
  const room = payment.gross - payment.refunded
  // It may have been sent before the dispute was known, and is recorded all the same, unless others took its place.
  const refund =
    due ?? byTransfer.find(({ failure_code, gross }) => failure_code === 'payment_disputed' && gross <= room)
  if (!refund || !may.recordSentTransfer) return null
  const of = { payment, refund, onClose: () => setOpen(undefined) }
  return (
    <Group gap={8} wrap="nowrap">
      <Button size="xs" variant="default" onClick={() => setOpen('sent')}>
        {due ? m.desk_sent() : m.desk_sent_before()}
      </Button>
      {due && (
        <Button size="xs" variant="default" onClick={() => setOpen('drop')}>
          {m.desk_drop()}
        </Button>
      )}
      {open === 'sent' && <Sent {...of} />}
      {open === 'drop' && <Drop {...of} />}
    </Group>
  )
}

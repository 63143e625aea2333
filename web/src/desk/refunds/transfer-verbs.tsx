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

/** Records a transfer that is due, or that was sent before a dispute dropped it, or gives up one that is due. */
function TransferVerb({ payment, refund }: Omit<Of, 'onClose'>) {
  const [open, setOpen] = useState<'sent' | 'drop'>()
  const of = { payment, refund, onClose: () => setOpen(undefined) }
  const isDue = refund.status === 'pending'
  return (
    <Group gap={8} wrap="nowrap">
      <Button size="xs" variant="default" onClick={() => setOpen('sent')}>
        {isDue ? m.desk_sent() : m.desk_sent_before({ amount: money(refund.gross, payment.currency) })}
      </Button>
      {isDue && (
        <Button size="xs" variant="default" onClick={() => setOpen('drop')}>
          {m.desk_drop()}
        </Button>
      )}
      {open === 'sent' && <Sent {...of} />}
      {open === 'drop' && <Drop {...of} />}
    </Group>
  )
}

/** What staff do about the refunds of a payment that they send as transfers, where the reader may. */
export function TransferVerbs({ payment }: { payment: Payment }) {
  const { refunds, may, gross, refunded } = payment
  if (!may.recordSentTransfer) return null
  const pending = refunds.filter(({ status }) => status === 'pending')
  // In the smallest units, because sums of fractions are not exact.
  const cents = (amount: number) => Math.round(amount * 100)
  const room = pending.reduce((left, refund) => left - cents(refund.gross), cents(gross) - cents(refunded))
  // It may have been sent before the dispute was known, and is recorded all the same, unless others took its place.
  const dropped = refunds.filter((one) => one.failure_code === 'payment_disputed' && cents(one.gross) <= room)
  return [...pending, ...dropped]
    .filter(({ iban_end }) => iban_end !== null)
    .map((refund) => <TransferVerb key={refund.id} payment={payment} refund={refund} />)
}

import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useAction, useActionOnce } from '../../api/write.ts'
import { amountIn } from '../../components/money/amount.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { useSecond } from '../second/use-second.ts'
import { AmountField } from './amount-field.tsx'
import { because, VerbDialog } from './verb-dialog.tsx'

type Bill = Row<'invoices'> | Row<'desk-documents'>
type Of = { bill: Bill; onClose: () => void }

/** The longest text that a credit note prints. */
const mostPrinted = 200

type Way = 'balance' | 'card' | 'bank'

const ways: Record<Way, () => string> = {
  balance: m.desk_credit_to_balance,
  card: m.desk_credit_to_card,
  bank: m.desk_credit_to_bank,
}

const isWay = (value: string): value is Way => Object.hasOwn(ways, value)

/** Where the money that was paid goes. */
function WayFields({ to, iban, onChange }: Sent & { onChange: (sent: Sent) => void }) {
  return (
    <>
      <NativeSelect
        label={m.desk_credit_to()}
        value={to}
        data={Object.entries(ways).map(([value, label]) => ({ value, label: label() }))}
        onChange={({ currentTarget: { value } }) => isWay(value) && onChange({ to: value, iban })}
      />
      {to === 'bank' && (
        <TextInput
          required
          label={m.desk_credit_iban()}
          autoComplete="off"
          maxLength={42}
          value={iban}
          onChange={({ currentTarget: { value } }) => onChange({ to, iban: value })}
        />
      )}
    </>
  )
}

type Sent = { to: Way; iban: string }

function Credit({ bill: { id, full_number: number, currency, paid }, onClose }: Of) {
  const action = useActionOnce('invoices', 'creditNote')
  const [typed, setTyped] = useState('')
  const [sent, setSent] = useState<Sent>({ to: 'balance', iban: '' })
  const input = (reason: string) => {
    const net = amountIn(typed, undefined, currency)
    const { to, iban } = sent
    return {
      reason: reason.slice(0, mostPrinted),
      to,
      ...(net !== undefined && { net }),
      ...(to === 'bank' && { iban }),
    }
  }
  const second = useSecond({ verb: 'creditNote', about: id, input, onClose })
  const confirm = (reason: string) =>
    action.mutate(
      { id, payload: input(reason), headers: because(reason) },
      {
        onSuccess: ({ full_number }) => {
          onClose()
          toast(m.desk_credit_done({ number: full_number }))
        },
      },
    )
  return (
    <VerbDialog
      isRead
      second={second}
      title={m.desk_credit_title({ number })}
      text={m.desk_credit_text()}
      verb={m.desk_credit_verb()}
      action={action}
      onConfirm={confirm}
      onClose={onClose}
    >
      <AmountField
        label={m.desk_credit_net()}
        hint={m.desk_credit_hint()}
        currency={currency}
        value={typed}
        onChange={setTyped}
      />
      {paid > 0 && <WayFields {...sent} onChange={setSent} />}
    </VerbDialog>
  )
}

function WriteOff({ bill: { id, full_number: number, currency, open }, onClose }: Of) {
  const action = useActionOnce('invoices', 'writeOff')
  const second = useSecond({ verb: 'writeOff', about: id, input: () => ({}), onClose })
  const done = () => {
    onClose()
    toast(m.desk_write_off_done())
  }
  return (
    <VerbDialog
      danger
      second={second}
      title={m.desk_write_off_title({ number, amount: money(open, currency) })}
      text={m.desk_write_off_text()}
      verb={m.desk_write_off_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id, payload: {}, headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    />
  )
}

function Send({ bill: { id, full_number: number }, onClose }: Of) {
  const action = useAction('invoices', 'sendDocument')
  const onSuccess = () => {
    onClose()
    toast(m.desk_send_document_done())
  }
  return (
    <VerbDialog
      title={m.desk_send_document_title({ number })}
      text={m.desk_send_document_text()}
      verb={m.desk_send_document_verb()}
      action={action}
      onConfirm={(reason) => action.mutate({ id, payload: {}, headers: because(reason) }, { onSuccess })}
      onClose={onClose}
    />
  )
}

/** Sends a document, corrects a bill or gives it up, where the reader may. */
export function BillVerbs({ bill }: { bill: Bill }) {
  const [open, setOpen] = useState<'send' | 'credit' | 'writeOff'>()
  const { kind, reason, status, may } = bill
  const isBill = kind === 'fiscal' && reason !== 'advance'
  const isCredited = status === 'cancelled' || status === 'refunded'
  const close = () => setOpen(undefined)
  return (
    <Group gap={8} wrap="nowrap">
      {may.sendDocument && (
        <Button size="xs" variant="default" onClick={() => setOpen('send')}>
          {m.desk_send_document()}
        </Button>
      )}
      {isBill && may.creditNote && !isCredited && (
        <Button size="xs" variant="default" onClick={() => setOpen('credit')}>
          {m.desk_credit()}
        </Button>
      )}
      {isBill && may.writeOff && bill.open > 0 && (
        <Button size="xs" variant="default" onClick={() => setOpen('writeOff')}>
          {m.desk_write_off()}
        </Button>
      )}
      {open === 'send' && <Send bill={bill} onClose={close} />}
      {open === 'credit' && <Credit bill={bill} onClose={close} />}
      {open === 'writeOff' && <WriteOff bill={bill} onClose={close} />}
    </Group>
  )
}

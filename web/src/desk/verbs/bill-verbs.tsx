import { NativeSelect, TextInput } from '@mantine/core'
import { type FunctionComponent, useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useAction, useActionOnce } from '../../api/write.ts'
import { amountIn } from '../../components/money/amount.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { useSecond } from '../second/use-second.ts'
import { AmountField } from './amount-field.tsx'
import { because, VerbDialog } from './verb-dialog.tsx'
import { VerbMenu } from './verb-menu.tsx'

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

type Entry = {
  readonly label: () => string
  readonly fits: (bill: Bill) => boolean
  readonly Dialog: FunctionComponent<Of>
}

const isBill = ({ kind, reason }: Bill) => kind === 'fiscal' && reason !== 'advance'
const isCredited = ({ status }: Bill) => status === 'cancelled' || status === 'refunded'

const entries = {
  sendDocument: { label: m.desk_send_document, fits: () => true, Dialog: Send },
  creditNote: { label: m.desk_credit, fits: (bill) => isBill(bill) && !isCredited(bill), Dialog: Credit },
  writeOff: { label: m.desk_write_off, fits: (bill) => isBill(bill) && bill.open > 0, Dialog: WriteOff },
} as const satisfies Record<string, Entry>

type Name = keyof typeof entries
const names: readonly Name[] = ['sendDocument', 'creditNote', 'writeOff']

/** Sends a document, corrects a bill or gives it up, where the reader may. */
export function BillVerbs({ bill }: { bill: Bill }) {
  return (
    <VerbMenu
      row={bill.full_number}
      offered={names.filter((name) => bill.may[name] && entries[name].fits(bill))}
      label={(name) => entries[name].label()}
      dialog={(name, onClose) => {
        const { Dialog } = entries[name]
        return <Dialog bill={bill} onClose={onClose} />
      }}
    />
  )
}

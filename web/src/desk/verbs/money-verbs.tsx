import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FunctionComponent, useState } from 'react'
import { useActionOnce } from '../../api/write.ts'
import { amountIn } from '../../components/money/amount.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { type Client, clientName } from '../client/words.tsx'
import { InvoiceDialog } from '../drafts/invoice-dialog.tsx'
import { OpenBillDialog } from '../drafts/open-bill.tsx'
import { Preview } from '../second/preview.tsx'
import { useSecond } from '../second/use-second.ts'
import { AmountField } from './amount-field.tsx'
import { because, VerbDialog } from './verb-dialog.tsx'

type Of = { client: Client; onClose: () => void }

/** Closes the dialog, and says what was done. */
const doneWith = (onClose: () => void, said: () => string) => () => {
  onClose()
  toast(said())
}

/** What is typed for the client, where something is. */
const sent = (typed: string) => (typed.trim() === '' ? {} : { message: typed.trim() })

/** What the client reads beside the movement; the reason below is for colleagues. */
function MessageField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextInput
      label={m.desk_message()}
      description={m.desk_message_hint()}
      maxLength={300}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function Goodwill({ client, onClose }: Of) {
  const action = useActionOnce('desk-clients', 'goodwill')
  const [typed, setTyped] = useState('')
  const [message, setMessage] = useState('')
  const input = () => {
    const amount = amountIn(typed, undefined, client.currency)
    return amount === undefined ? undefined : { amount, ...sent(message) }
  }
  const second = useSecond({ verb: 'goodwill', about: client.id, input, onClose })
  const confirm = (reason: string) => {
    const payload = input()
    if (payload === undefined) return
    const given = { id: client.id, payload, headers: because(reason) }
    action.mutate(given, { onSuccess: doneWith(onClose, m.desk_goodwill_done) })
  }
  return (
    <VerbDialog
      title={m.desk_goodwill_title({ name: clientName(client) })}
      text={m.desk_goodwill_text()}
      verb={m.desk_goodwill_verb()}
      action={action}
      onConfirm={confirm}
      second={second}
      onClose={onClose}
    >
      <AmountField required currency={client.currency} value={typed} onChange={setTyped} />
      <MessageField value={message} onChange={setMessage} />
      <Preview verb="goodwill" about={client.id} input={input} />
    </VerbDialog>
  )
}

function Adjust({ client, onClose }: Of) {
  const action = useActionOnce('desk-clients', 'adjust')
  const [typed, setTyped] = useState('')
  const [message, setMessage] = useState('')
  const [direction, setDirection] = useState<'up' | 'down'>('up')
  const input = () => {
    const amount = amountIn(typed, undefined, client.currency)
    return amount === undefined ? undefined : { amount, direction, ...sent(message) }
  }
  const second = useSecond({ verb: 'adjust', about: client.id, input, onClose })
  const confirm = (reason: string) => {
    const payload = input()
    if (payload === undefined) return
    const given = { id: client.id, payload, headers: because(reason) }
    action.mutate(given, { onSuccess: doneWith(onClose, m.desk_adjust_done) })
  }
  return (
    <VerbDialog
      title={m.desk_adjust_title({ name: clientName(client) })}
      text={m.desk_adjust_text()}
      verb={m.desk_adjust_verb()}
      action={action}
      onConfirm={confirm}
      second={second}
      onClose={onClose}
    >
      <NativeSelect
        label={m.desk_adjust_direction()}
        value={direction}
        data={[
          { value: 'up', label: m.desk_adjust_up() },
          { value: 'down', label: m.desk_adjust_down() },
        ]}
        onChange={({ currentTarget: { value } }) => setDirection(value === 'down' ? 'down' : 'up')}
      />
      <AmountField required currency={client.currency} value={typed} onChange={setTyped} />
      <MessageField value={message} onChange={setMessage} />
      <Preview verb="adjust" about={client.id} input={input} />
    </VerbDialog>
  )
}

function Proforma({ client, onClose }: Of) {
  const action = useActionOnce('invoices', 'requestProforma')
  const [typed, setTyped] = useState('')
  const confirm = (reason: string) => {
    const net = amountIn(typed, undefined, client.currency)
    const payload = { client_id: client.id, ...(net !== undefined && { net }) }
    action.mutate(
      { payload, headers: because(reason) },
      {
        onSuccess: ({ full_number: number }) => {
          onClose()
          toast(m.desk_proforma_done({ number }))
        },
      },
    )
  }
  return (
    <VerbDialog
      title={m.desk_proforma_title({ name: clientName(client) })}
      text={m.desk_proforma_text()}
      verb={m.desk_proforma_verb()}
      action={action}
      onConfirm={confirm}
      onClose={onClose}
    >
      <AmountField
        label={m.desk_credit_net()}
        hint={m.desk_proforma_hint()}
        currency={client.currency}
        value={typed}
        onChange={setTyped}
      />
    </VerbDialog>
  )
}

const verbs = {
  requestProforma: { label: m.desk_proforma, Dialog: Proforma },
  goodwill: { label: m.desk_goodwill, Dialog: Goodwill },
  adjust: { label: m.desk_adjust, Dialog: Adjust },
  manualInvoice: { label: m.desk_invoice, Dialog: InvoiceDialog },
  chargeOpenBill: { label: m.desk_open_bill, Dialog: OpenBillDialog },
} as const satisfies Record<string, { label: () => string; Dialog: FunctionComponent<Of> }>

/** Moves money of a client, where the reader may. */
export function MoneyVerb({ client, name }: { client: Client; name: keyof typeof verbs }) {
  const [isOpen, setOpen] = useState(false)
  if (!client.may[name]) return null
  const { label, Dialog } = verbs[name]
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {label()}
      </Button>
      {isOpen && <Dialog client={client} onClose={() => setOpen(false)} />}
    </>
  )
}

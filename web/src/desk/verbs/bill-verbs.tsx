import type { FunctionComponent } from 'react'
import { useAction } from '../../api/write.ts'
import { isUnpaidProforma } from '../../components/money/document-words.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Credit } from '../bills/credit.tsx'
import { RecordTransfer } from '../bills/record-transfer.tsx'
import { Reissue } from '../bills/reissue.tsx'
import { Remake } from '../bills/remake.tsx'
import { type Bill, mayLoseVat, type OfBill } from '../bills/words.ts'
import { WriteOff } from '../bills/write-off.tsx'
import { because, VerbDialog } from './verb-dialog.tsx'
import { VerbMenu } from './verb-menu.tsx'

function Send({ bill: { id, full_number: number }, onClose }: OfBill) {
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

function CancelProforma({ bill: { id, full_number: number }, onClose }: OfBill) {
  const action = useAction('invoices', 'cancelProforma')
  const onSuccess = () => {
    onClose()
    toast(m.proforma_cancelled({ number }))
  }
  return (
    <VerbDialog
      danger
      title={m.proforma_cancel_title({ number })}
      text={m.desk_proforma_cancel_text()}
      verb={m.proforma_cancel_verb()}
      action={action}
      onConfirm={(reason) => action.mutate({ id, payload: {}, headers: because(reason) }, { onSuccess })}
      onClose={onClose}
    />
  )
}

type Entry = {
  readonly label: (bill: Bill) => string
  readonly fits: (bill: Bill) => boolean
  readonly Dialog: FunctionComponent<OfBill>
}

const isBill = ({ kind, reason }: Bill) => kind === 'fiscal' && reason !== 'advance'
const isCredited = ({ status }: Bill) => status === 'cancelled' || status === 'refunded'

/** A deposit of which something may be left: its details can be wrong, and its VAT not owed. */
const isReissuable = (bill: Bill) => bill.kind === 'fiscal' && bill.reason === 'advance' && !isCredited(bill)

const entries = {
  sendDocument: { label: m.desk_send_document, fits: () => true, Dialog: Send },
  recordBankTransfer: {
    label: m.desk_arrived,
    fits: (bill) => bill.kind === 'proforma' || (isBill(bill) && bill.open + bill.written_off > 0),
    Dialog: RecordTransfer,
  },
  cancelProforma: { label: m.proforma_cancel, fits: isUnpaidProforma, Dialog: CancelProforma },
  creditNote: { label: m.desk_credit, fits: (bill) => isBill(bill) && !isCredited(bill), Dialog: Credit },
  writeOff: { label: m.desk_write_off, fits: (bill) => isBill(bill) && bill.open > 0, Dialog: WriteOff },
  storno: {
    label: (bill) => (mayLoseVat(bill) ? m.desk_reissue() : m.desk_again()),
    fits: isReissuable,
    Dialog: Reissue,
  },
  remakeEInvoice: {
    label: m.desk_remake,
    fits: (bill) => bill.is_refused && !isCredited(bill),
    Dialog: ({ bill, onClose }) => <Remake id={bill.id} number={bill.full_number} onClose={onClose} />,
  },
} as const satisfies Record<string, Entry>

type Name = keyof typeof entries
const names: readonly Name[] = [
  'sendDocument',
  'recordBankTransfer',
  'cancelProforma',
  'creditNote',
  'writeOff',
  'storno',
  'remakeEInvoice',
]

/** Sends a document, records its payment, corrects it or gives it up, where the reader may. */
export function BillVerbs({ bill }: { bill: Bill }) {
  return (
    <VerbMenu
      row={bill.full_number}
      offered={names.filter((name) => bill.may[name] && entries[name].fits(bill))}
      label={(name) => entries[name].label(bill)}
      dialog={(name, onClose) => {
        const { Dialog } = entries[name]
        return <Dialog bill={bill} onClose={onClose} />
      }}
    />
  )
}

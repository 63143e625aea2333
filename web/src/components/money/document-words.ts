import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Tone } from '../../ui/status.tsx'

type Invoice = Row<'invoices'>

/** The names of kinds of documents. */
export const documentKinds: Readonly<Record<Invoice['kind'], () => string>> = {
  proforma: m.invoice_proforma,
  fiscal: m.invoice_fiscal,
  credit_note: m.invoice_credit_note,
}

type State = { readonly tone: Tone; readonly name: () => string }

const states: Readonly<Record<Invoice['status'], State>> = {
  draft: { tone: 'idle', name: m.invoice_draft },
  unpaid: { tone: 'warn', name: m.invoice_unpaid },
  partially_paid: { tone: 'warn', name: m.invoice_partially_paid },
  paid: { tone: 'good', name: m.invoice_paid },
  overdue: { tone: 'bad', name: m.invoice_overdue },
  cancelled: { tone: 'idle', name: m.invoice_cancelled },
  expired: { tone: 'idle', name: m.invoice_expired },
  refunded: { tone: 'idle', name: m.invoice_refunded },
}

/** The name of the state of a document. Nobody pays a credit note: it is settled as soon as it is issued. */
/** Whether it is a proforma that can be cancelled. */
export const isUnpaidProforma = ({
  kind,
  status,
  paid,
}: Pick<Invoice, 'kind' | 'status' | 'paid'>): boolean =>
  kind === 'proforma' && (status === 'unpaid' || status === 'expired') && paid === 0

export const documentState = ({ kind, status }: Pick<Invoice, 'kind' | 'status'>): State =>
  kind === 'credit_note' && status === 'paid' ? { tone: 'idle', name: m.invoice_issued } : states[status]

import type { Row } from '../../api/rows.ts'

/** A document as the client's page or the list of all documents has it. */
export type Bill = Row<'invoices'> | Row<'desk-documents'>

/** What the dialog of a document gets. */
export type OfBill = { bill: Bill; onClose: () => void }

/** Whether the tax office has rejected a document, or it has no electronic invoice because it violates a rule. */
export const isRefused = (bill: Bill): boolean =>
  'einvoice_state' in bill ? bill.einvoice_state === 'rejected' : bill.pdf_ready && !bill.xml_ready

import type { Row } from '../../api/rows.ts'

/** A document as the client's page or the list of all documents has it. */
export type Bill = Row<'invoices'> | Row<'desk-documents'>

/** What the dialog of a document gets. */
export type OfBill = { bill: Bill; onClose: () => void }

/** Whether a deposit has VAT that a valid VAT number of its buyer would take off, and the tax office does not refuse it. */
export const mayLoseVat = (bill: Bill): boolean =>
  !bill.is_refused && bill.vat > 0 && 'vat_treatment' in bill && bill.vat_treatment !== 'domestic'

import type { Row } from '../../api/rows.ts'

/** A document as the client's page or the list of all documents has it. */
export type Bill = Row<'invoices'> | Row<'desk-documents'>

/** What the dialog of a document gets. */
export type OfBill = { bill: Bill; onClose: () => void }

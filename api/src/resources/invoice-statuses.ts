import { invoiceStatuses } from '@portico/contract/resources/invoice-statuses.ts'
import { lookup } from '../jsonapi/serve.ts'

export default lookup(invoiceStatuses, { table: 'invoice_statuses' })

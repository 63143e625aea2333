import { invoiceStatuses } from '@portico/contract/resources/invoice-statuses.ts'
import { lookup } from '#platform/jsonapi/declare/serve.ts'

export default lookup(invoiceStatuses, { table: 'invoice_statuses' })

import { invoiceSeries } from '@portico/contract/resources/invoice-series.ts'
import { anybody } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'

// Not a lookup type: series are created at run time. Their next numbers disclose the operator's sales.
export default serve(invoiceSeries, {
  table: 'invoice_series',
  policy: { read: anybody },
  keys: { group: 'billing' },
})

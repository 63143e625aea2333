import { invoiceSeries } from '@portico/contract/resources/invoice-series.ts'
import { anybody } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'

// Not a look-up: series are made while the portal runs. Their next numbers tell how much the operator sells.
export default serve(invoiceSeries, {
  table: 'invoice_series',
  policy: { read: anybody },
  keys: { group: 'billing' },
})

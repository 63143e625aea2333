import { invoiceProformaSeries } from '@portico/contract/resources/invoice-proforma-series.ts'
import { anybody } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'

// Not a lookup type: see invoice-series.ts.
export default serve(invoiceProformaSeries, {
  table: 'proforma_series',
  policy: { read: anybody },
  keys: { group: 'billing' },
})

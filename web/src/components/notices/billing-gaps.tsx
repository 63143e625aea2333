import type { Billing } from '../../api/queries/billing.ts'
import { m } from '../../texts/compiled/messages.js'

const gapNames: Record<Billing['billing_missing'][number], () => string> = {
  company_name: m.company_name,
  address1: m.address,
  city: m.city,
  zip_code: m.zip_code,
  country_id: m.country,
  county_id: m.county,
  sector: m.banner_billing_sector,
}

/** Names the details that invoices lack although the form looks complete. */
export const BillingGaps = ({ missing }: { missing: Billing['billing_missing'] }) =>
  m.banner_billing_missing({ fields: missing.map((gap) => gapNames[gap]()).join(', ') })

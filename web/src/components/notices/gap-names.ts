import type { Billing } from '../../api/queries/billing.ts'
import { m } from '../../texts/compiled/messages.js'

/** The details that invoices lack, by their labels in the form. */
const gapNames: Record<Billing['billing_missing'][number], () => string> = {
  company_name: m.company_name,
  address1: m.address,
  city: m.city,
  zip_code: m.zip_code,
  country_id: m.country,
  county_id: m.county,
  sector: m.banner_billing_sector,
}

/** The details that invoices lack, in words. */
export const gapsListed = (gaps: Billing['billing_missing']) => gaps.map((gap) => gapNames[gap]()).join(', ')

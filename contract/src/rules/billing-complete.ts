type Value = string | number | null

/** What the rule reads of a billing profile. */
export type BillingDetails = {
  readonly account_type: number
  readonly company_name: Value
  readonly address1: Value
  readonly city: Value
  readonly zip_code: Value
  readonly country_id: Value
}

const ofEveryone = ['address1', 'city', 'zip_code', 'country_id'] as const
const ofCompanies = ['company_name', ...ofEveryone] as const

/** 1 means a company (seed, section 3). */
export const companyAccount = 1

/** The fields an invoice needs, by the kind of account (seed, section 5). */
export const requiredForBilling = (accountType: number): readonly (keyof BillingDetails)[] =>
  accountType === companyAccount ? ofCompanies : ofEveryone

/** Billing details are incomplete while a required field is null; an empty string passes. */
export const billingComplete = (details: BillingDetails): boolean =>
  requiredForBilling(details.account_type).every((field) => details[field] !== null)

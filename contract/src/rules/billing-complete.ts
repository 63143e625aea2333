const ofEveryone = ['address1', 'city', 'zip_code', 'country_id'] as const
const ofCompanies = ['company_name', ...ofEveryone] as const

/** 1 means a company. */
export const companyAccount = 1

/** The fields an invoice needs, by the kind of account. */
export const requiredForBilling = (accountType: number): readonly (typeof ofCompanies)[number][] =>
  accountType === companyAccount ? ofCompanies : ofEveryone

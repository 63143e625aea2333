/** The input of `editOperator`: a company of Cluj. */
export const companyInput = {
  legal_name: 'Example Cloud SRL',
  vat_number: 'RO12345674',
  tax_number: '12345674',
  commerce_code: 'J12/1/2020',
  address1: 'Strada Lungă 1',
  city: 'Cluj-Napoca',
  county_code: 'RO-CJ',
  zip_code: '400001',
  country: 'RO',
  email: 'billing@example.com',
  phone: '+40 264 555 010',
  website: null,
  iban: 'RO49AAAA1B31007593840000',
  bank_name: 'Example Bank',
  oss_registered: true,
  oss_threshold: 46_337,
  base_currency: 'RON',
  time_zone: 'Europe/Bucharest',
  due_days: 30,
  proforma_days: 15,
}

/** The input of `editPolicy`: the rules of a new portal. */
export const daysInput = {
  low_days: [3, 7],
  negative_days: [0, 3, 7],
  warned_letter_days: [15, 18, 20],
  warn_days: 15,
  suspend_days: 21,
  terminate_days: 45,
  trial_days: 14,
  days_ahead: 3,
  price_notice_days: 30,
  suspended_fee: 'stops',
}

/** The input of `editAmounts`. */
export const amountsInput = {
  trial_credit: 20,
  warn_below: -3,
  credit_limit: 50,
  deposit_least: 5,
  deposit_most: 5000,
  quick_amounts: [25, 50],
  threshold_least: 1,
  threshold_usual: 10,
  recharge_least: 5,
  recharge_usual: 50,
  cap_most: 10_000,
}

/** The inputs of the verbs that change the operator's rules. */
export const policyInputs = {
  editPolicy: () => daysInput,
  editAmounts: () => amountsInput,
  editAccess: () => ({ views_without_consent: true }),
}

/** An announcement to everybody. */
export const announcementInput = {
  title_en: 'News',
  title_ro: 'Noutăți',
  body_en: '',
  body_ro: '',
  starts_at: '2026-01-01T00:00:00Z',
  ends_at: null,
  audience: 'all',
  of: null,
}

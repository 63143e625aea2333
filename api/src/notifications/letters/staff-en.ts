import type { AlertTopic } from '@portico/contract/rules/alert-topics.ts'
import { type Language, pages } from './words.ts'

const topics: Readonly<Record<AlertTopic, string>> = {
  disputed: 'A payment is disputed',
  dispute_differs: 'A dispute does not match its payment',
  unknown_dispute: 'A dispute about an unknown payment',
  unknown_payment: 'A payment that was not requested',
  amount_differs: 'A payment arrived with a different amount',
  refund_returned: 'A refund was returned',
  reconciliation: 'The payment provider does not match the ledger',
  ledger_differs: 'The ledger has discrepancies',
  billing_log_differs: 'The billing log does not match the ledger',
  usage_unpriced: 'Usage has no price',
  exchange_rate_missing: 'An exchange rate is missing',
  exchange_rate_unusual: 'An exchange rate looks unusual',
  bill_not_issued: 'A service bill could not be issued',
  file_missing: 'A stored file is missing',
  file_damaged: 'A stored file is damaged',
  storage_full: 'The file storage is full',
  job_failed: 'A job has failed permanently',
  other: 'Something needs a decision',
}

/** English letters to staff about alerts. */
export const staffLetters: Pick<Language['letters'], 'staff-alert'> = {
  'staff-alert': ({ topic, about, facts }) => ({
    subject: topics[topic],
    say: [`A staff member needs to look at this: ${about}.`, ...facts],
    button: { label: 'Open the portal', path: pages.dashboard },
    after: [
      'You get this once for each case. Choose which e-mails you get under Manage account, Notifications.',
    ],
  }),
}

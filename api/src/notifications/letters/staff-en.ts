import type { AlertTopic } from '@portico/contract/rules/alert-topics.ts'
import { type Language, pages } from './words.ts'

const topics: Readonly<Record<AlertTopic, string>> = {
  disputed: 'A payment is disputed',
  dispute_differs: 'A dispute does not match its payment',
  unknown_dispute: 'A dispute of a payment that we do not know',
  unknown_payment: 'A payment that nobody asked for',
  amount_differs: 'A payment came with another amount',
  refund_returned: 'A refund came back',
  reconciliation: 'The payment provider and the books differ',
  ledger_differs: 'The books differ',
  billing_log_differs: 'The billing log and the books differ',
  usage_unpriced: 'Usage has no price',
  exchange_rate_missing: 'An exchange rate is missing',
  exchange_rate_unusual: 'An exchange rate looks unusual',
  bill_not_issued: 'A service bill could not be issued',
  file_missing: 'A stored file is missing',
  file_damaged: 'A stored file is damaged',
  storage_full: 'The file storage is full',
  job_failed: 'A job has failed for good',
  other: 'Something needs a decision',
}

/** What is written to staff about what they have to look at, in English. */
export const staffLetters: Pick<Language['letters'], 'staff-alert'> = {
  'staff-alert': ({ topic, about, facts }) => ({
    subject: topics[topic],
    say: [`Somebody of staff has to look at this: ${about}.`, ...facts],
    button: { label: 'Open the portal', path: pages.dashboard },
    after: [
      'You get this once for each case. You choose which letters you get under Manage account, Notifications.',
    ],
  }),
}

import type { AlertNoun, AlertTopic } from '@portico/contract/rules/alert-topics.ts'
import { aboutIn, factsIn, type Language, pages } from './words.ts'

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
  vat_due_left: 'A customer’s VAT is not settled',
  file_missing: 'A stored file is missing',
  file_damaged: 'A stored file is damaged',
  storage_full: 'The file storage is full',
  job_failed: 'A job has failed permanently',
  engine_plan_differs: 'A hosting platform reports a different plan for a panel',
  plan_traffic_used: 'A panel has used the traffic of its plan',
  other: 'Something needs a decision',
}

/** The meaning of each alert, and what to do about it. */
const advice: Readonly<Record<AlertTopic, string>> = {
  disputed:
    'The customer’s bank has opened a dispute. Answer it at the payment provider before its deadline.',
  dispute_differs:
    'The dispute ended with another sum or currency than the payment had, so nothing was posted. Compare both.',
  unknown_dispute: 'Nothing was posted. Find out at the payment provider which payment it belongs to.',
  unknown_payment:
    'The provider has received money that matches no payment here. Find out whose it is, or give it back.',
  amount_differs: 'It was not credited. Find out why, then credit it or give it back.',
  refund_returned: 'The bank sent the refund back. Agree with the customer how they get the money.',
  reconciliation:
    'What the provider has and what the books have does not match. Compare both and correct what is wrong.',
  ledger_differs:
    'A kept sum does not follow from the entries. “npm run ledger:verify” lists every difference.',
  billing_log_differs: 'Lines of the billing log do not follow from the books. Find out who changed them.',
  usage_unpriced: 'What is used costs nothing until the price list has a price for it.',
  exchange_rate_missing:
    'Without a recent rate no document can be issued in this currency. Add one with “npm run fx:add”.',
  exchange_rate_unusual: 'It was not taken. If it is right, add it with “npm run fx:add”.',
  bill_not_issued: 'Ask the customer for what is missing. The bill is tried again by itself.',
  vat_due_left:
    'No open bill explains the amount in the ledger account for VAT due. Compare the documents with the ledger, and correct what is wrong.',
  file_missing: 'Restore it from a backup.',
  file_damaged: 'It differs from the stored original, so it is no longer sent. Restore it from a backup.',
  storage_full: 'No file can be stored until there is room.',
  job_failed: 'It is not tried again by itself. Mend the cause, then run it again.',
  engine_plan_differs:
    'Nothing has changed here, including the prices. Find out which of the two plans the panel should have, and set it on the platform.',
  plan_traffic_used:
    'The owner got a letter about it, and the panel keeps running. Decide whether they need a larger plan.',
  other: 'Look at what is known, and decide.',
}

const nouns: Readonly<Record<AlertNoun, string>> = {
  payment: 'payment',
  client: 'client',
  document: 'document',
  'ticket file': 'ticket file',
  'data export': 'data export',
  'usage of': 'usage of',
  'billing log': 'billing log',
  files: 'stored files',
  panel: 'panel',
}

const facts: Readonly<Record<string, string>> = {
  ref: 'Reference',
  provider: 'Payment provider',
  books: 'Books',
  amount: 'Amount',
  gross: 'Amount',
  asked: 'Asked for',
  received: 'Received',
  failure: 'Reason',
  differences: 'Differences',
  places: 'Where',
  clients: 'Clients',
  reasons: 'Missing',
  meter: 'Kind of use',
  list: 'Price list',
  currency: 'Currency',
  day: 'Day',
  rate: 'Rate',
  before: 'Rate before',
  source: 'Source',
  newest: 'Newest rate of',
  jobs: 'Jobs',
  last_error: 'Last error',
  said: 'Error',
  plan: 'Plan',
  allowed: 'Allowed (GB a month)',
  used: 'Used (GB)',
  key: 'File',
}

/** English letters to staff about alerts. */
export const staffLetters: Pick<Language['letters'], 'staff-alert'> = {
  'staff-alert': ({ topic, about, facts: known }) => ({
    subject: topics[topic],
    say: [`It is about: ${aboutIn(nouns, about)}. ${advice[topic]}`, ...factsIn(facts, known)],
    after: ['You get this once for each case. Choose which e-mails you get here:'],
    other: { label: 'Notifications', path: pages.notices },
  }),
}

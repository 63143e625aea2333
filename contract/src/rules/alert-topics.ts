/** What an alert for staff is about, as people are told it; the kinds of alerts begin with these. */
export const alertTopics = [
  'disputed',
  'dispute_differs',
  'unknown_dispute',
  'unknown_payment',
  'amount_differs',
  'refund_returned',
  'reconciliation',
  'ledger_differs',
  'billing_log_differs',
  'usage_unpriced',
  'exchange_rate_missing',
  'exchange_rate_unusual',
  'bill_not_issued',
  'file_missing',
  'file_damaged',
  'storage_full',
  'job_failed',
] as const

export type AlertTopic = (typeof alertTopics)[number] | 'other'

/** The topic of a kind: itself, or what it begins with. `other` for what has no words of its own. */
export const alertTopic = (kind: string): AlertTopic =>
  alertTopics.find((topic) => kind === topic || kind.startsWith(`${topic}_`)) ?? 'other'

const nouns = [
  'payment',
  'client',
  'document',
  'ticket file',
  'data export',
  'usage of',
  'billing log',
  'files',
] as const

export type AlertNoun = (typeof nouns)[number]

/** What the words of an alert's `about` name, so that each language says it by its own; undefined where they are a name alone. */
export function alertNoun(about: string): { readonly noun: AlertNoun; readonly name: string } | undefined {
  const noun = nouns.find((one) => about === one || about.startsWith(`${one} `))
  return noun && { noun, name: about.slice(noun.length + 1) }
}

import type { DeclineCode } from '@portico/contract/rules/money/decline-causes.ts'

/** The behaviour of a sandbox card. */
export type Behaviour =
  | 'succeeds'
  | 'challenge'
  | 'challenge_once'
  | 'declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'declines_later'
  | 'disputed'
  | 'slow'

/** The only accepted numbers, so that nobody enters a real one. */
export const sandboxCards: Readonly<Record<string, Behaviour>> = {
  '4242424242424242': 'succeeds',
  '4000002760003184': 'challenge',
  '4000002500003155': 'challenge_once',
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient_funds',
  '4000000000000069': 'expired_card',
  '4000000000000341': 'declines_later',
  '4000000000000259': 'disputed',
  '4000000000003220': 'slow',
}

/** The bank's decline of a card, as a code and a message. */
export const refusals: Readonly<Partial<Record<Behaviour, readonly [code: DeclineCode, message: string]>>> = {
  declined: ['card_declined', 'The card was declined.'],
  declines_later: ['card_declined', 'The card was declined.'],
  insufficient_funds: ['insufficient_funds', 'The card has insufficient funds.'],
  expired_card: ['expired_card', 'The card has expired.'],
}

/** Whether a card is declined on entry. */
export const refusedAtOnce = (behaviour: Behaviour): boolean =>
  behaviour === 'declined' || behaviour === 'insufficient_funds' || behaviour === 'expired_card'

/** Whether a card is challenged on entry, and when it is charged. */
export const challengedAtSetup = (behaviour: Behaviour): boolean =>
  behaviour === 'challenge' || behaviour === 'challenge_once'

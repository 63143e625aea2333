/** Why a payment by card failed, as far as anybody can act on it. */
export type DeclineCause =
  | 'declined'
  | 'funds'
  | 'limit'
  | 'expired'
  | 'details'
  | 'confirmation'
  | 'lost'
  | 'unusable'
  | 'unavailable'
  | 'fraud'
  | 'stopped'
  | 'repeated'
  | 'canceled'
  | 'never_charged'
  | 'currency'
  | 'disputed'
  | 'returned'

/** The codes of Stripe and the sandbox, and our own, by their cause. The list of Stripe is at docs.stripe.com/declines/codes. */
export const declineCauses = {
  approve_with_id: 'unavailable',
  authentication_failed: 'confirmation',
  authentication_not_handled: 'confirmation',
  authentication_required: 'confirmation',
  call_issuer: 'declined',
  canceled: 'canceled',
  card_declined: 'declined',
  card_not_supported: 'unusable',
  card_velocity_exceeded: 'limit',
  currency_changed: 'currency',
  currency_not_supported: 'unusable',
  declined: 'declined',
  do_not_honor: 'declined',
  do_not_try_again: 'declined',
  duplicate_transaction: 'repeated',
  expired_card: 'expired',
  fraudulent: 'fraud',
  generic_decline: 'declined',
  incorrect_address: 'details',
  incorrect_cvc: 'details',
  incorrect_number: 'details',
  incorrect_pin: 'confirmation',
  incorrect_zip: 'details',
  insufficient_funds: 'funds',
  invalid_account: 'unusable',
  invalid_amount: 'limit',
  invalid_cvc: 'details',
  invalid_expiry_month: 'details',
  invalid_expiry_year: 'details',
  invalid_number: 'details',
  invalid_pin: 'confirmation',
  issuer_not_available: 'unavailable',
  lost_card: 'lost',
  merchant_blacklist: 'fraud',
  mobile_device_authentication_required: 'confirmation',
  never_charged: 'never_charged',
  new_account_information_available: 'unusable',
  no_action_taken: 'declined',
  not_permitted: 'unusable',
  offline_pin_required: 'confirmation',
  online_or_offline_pin_required: 'confirmation',
  payment_intent_authentication_failure: 'confirmation',
  payment_disputed: 'disputed',
  payment_returned: 'returned',
  pickup_card: 'lost',
  pin_try_exceeded: 'confirmation',
  processing_error: 'unavailable',
  reenter_transaction: 'unavailable',
  restricted_card: 'unusable',
  revocation_of_all_authorizations: 'stopped',
  revocation_of_authorization: 'stopped',
  security_violation: 'fraud',
  service_not_allowed: 'unusable',
  stolen_card: 'lost',
  stop_payment_order: 'stopped',
  testmode_decline: 'declined',
  transaction_not_allowed: 'unusable',
  try_again_later: 'unavailable',
  withdrawal_count_limit_exceeded: 'limit',
} as const satisfies Readonly<Record<string, DeclineCause>>

export type DeclineCode = keyof typeof declineCauses

/** Whether a code of a provider has words of ours; providers add codes without telling anybody. */
export const isDeclineCode = (code: string | null): code is DeclineCode =>
  code !== null && Object.hasOwn(declineCauses, code)

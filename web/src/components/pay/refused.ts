import { m } from '../../texts/compiled/messages.js'

const known: Readonly<Record<string, () => string>> = {
  insufficient_funds: m.refused_funds,
  expired_card: m.refused_expired,
  authentication_failed: m.refused_not_confirmed,
  canceled: m.refused_canceled,
  never_charged: m.refused_never_charged,
  currency_changed: m.refused_currency,
  payment_returned: m.refused_returned,
}

/** Translates the provider's code of a decline. */
export const refusedInWords = (code: string | null | undefined): string =>
  (known[code ?? ''] ?? m.refused_declined)()

import { m } from '../../texts/compiled/messages.js'

const known: Readonly<Record<string, () => string>> = {
  insufficient_funds: m.refused_funds,
  expired_card: m.refused_expired,
  authentication_failed: m.refused_not_confirmed,
  canceled: m.refused_canceled,
  never_charged: m.refused_never_charged,
}

/** Why a bank, or the portal, says no: the code that the provider gave, in words. */
export const refusedInWords = (code: string | null | undefined): string =>
  (known[code ?? ''] ?? m.refused_declined)()

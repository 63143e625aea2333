import { m } from '../../texts/compiled/messages.js'

const known: Readonly<Record<string, () => string>> = {
  insufficient_funds: m.desk_refused_funds,
  expired_card: m.refused_expired,
  authentication_failed: m.desk_refused_confirmation,
  canceled: m.refused_canceled,
  never_charged: m.desk_refused_never_charged,
}

/** Why a card was refused, for staff: what a client is advised to do is not for them. */
export const whyRefused = (code: string | null): string => (known[code ?? ''] ?? m.desk_refused_declined)()

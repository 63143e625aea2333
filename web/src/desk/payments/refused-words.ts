import {
  type DeclineCause,
  declineCauses,
  isDeclineCode,
} from '@portico/contract/rules/money/decline-causes.ts'
import { m } from '../../texts/compiled/messages.js'

const words: Readonly<Record<DeclineCause, () => string>> = {
  declined: m.desk_refused_declined,
  funds: m.desk_refused_funds,
  limit: m.desk_refused_limit,
  expired: m.refused_expired,
  details: m.desk_refused_details,
  confirmation: m.desk_refused_confirmation,
  lost: m.desk_refused_lost,
  unusable: m.desk_refused_unusable,
  unavailable: m.desk_refused_unavailable,
  fraud: m.desk_refused_fraud,
  stopped: m.desk_refused_stopped,
  repeated: m.desk_refused_repeated,
  canceled: m.refused_canceled,
  never_charged: m.desk_refused_never_charged,
  currency: m.desk_refused_currency,
  disputed: m.desk_refused_disputed,
  returned: m.desk_refused_returned,
}

/** Why a card was refused, for staff: what a client is advised to do is not for them. */
export const whyRefused = (code: string | null): string =>
  (isDeclineCode(code) ? words[declineCauses[code]] : m.desk_refused_declined)()

/** The sentence of the provider, which is English, where we have no words for its code. */
export const providersWords = (code: string | null, message: string | null): string | null =>
  isDeclineCode(code) ? null : message

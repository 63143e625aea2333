import type { AlertTopic } from '@portico/contract/rules/alert-topics.ts'
import type { AskedVerb } from '@portico/contract/rules/asked-verbs.ts'
import type { MailKind } from '@portico/contract/rules/notification-kinds.ts'
import type { DocumentLetter } from './documents/document-letter.ts'
import type { PlanLetter } from './plans/plan-letter.ts'
import type { TicketLetter } from './tickets/ticket-letter.ts'

/**
 * The origin of an action in letters: "Firefox on Windows, from 203.0.113.7, on 21 Nov 2026, 14:05 UTC". Each
 * language words it. Parts are null when unknown; `at` is ISO 8601.
 */
export type Where = {
  readonly device: { readonly browser: string | null; readonly system: string | null }
  readonly ip: string | null
  readonly at: string
}

/**
 * The ways into an account besides the password: the number of passkeys, linked Google accounts, a second
 * factor, and active API keys by name.
 */
export type SignInMethods = {
  readonly passkeys: number
  readonly google: readonly string[]
  readonly two_factor: boolean
  readonly api_keys: readonly string[]
}

/** The recipient of a letter about another person, who is identified by name and confirmed address. */
export type Between = { readonly name: string; readonly other: string; readonly email: string }

/** An exact decimal with its currency by ISO 4217. */
export type Sum = { readonly amount: string; readonly currency: string }

/** A letter about a balance, credit included, and the UTC day of the next consequence. */
type OfBalance = {
  readonly name: string
  readonly held: Sum
  /** The number of days below zero, so that no two reminders have the same subject. */
  readonly days: number
  readonly on: string | null
}

/** A card as people know it; `on` is the first UTC day on which it cannot be charged. */
type OfCard = { readonly name: string; readonly brand: string; readonly last4: string; readonly on: string }

/**
 * Every letter of the portal with its parameters. Links are paths of the portal; they may hold a secret, so a
 * letter is sealed in the queue.
 */
export type Letter =
  | ({ readonly kind: 'verify-email'; readonly name: string; readonly link: string } & Where)
  | {
      readonly kind: 'already-registered'
      readonly name: string
      readonly link: string
      readonly reset: string
    }
  | { readonly kind: 'password-reset'; readonly name: string; readonly link: string }
  | ({ readonly kind: 'password-changed'; readonly name: string; readonly remaining: SignInMethods } & Where)
  | ({ readonly kind: 'two-factor-enabled'; readonly name: string } & Where)
  | ({ readonly kind: 'two-factor-disabled'; readonly name: string } & Where)
  | ({ readonly kind: 'two-factor-guessed'; readonly name: string } & Where)
  | ({ readonly kind: 'recovery-code-used'; readonly name: string; readonly left: number } & Where)
  | ({ readonly kind: 'recovery-codes-renewed'; readonly name: string } & Where)
  | ({ readonly kind: 'passkey-added'; readonly name: string; readonly passkey: string } & Where)
  | ({ readonly kind: 'passkey-removed'; readonly name: string; readonly passkey: string } & Where)
  | ({ readonly kind: 'google-linked'; readonly name: string; readonly email: string } & Where)
  | ({ readonly kind: 'google-unlinked'; readonly name: string; readonly email: string } & Where)
  | ({ readonly kind: 'google-refused'; readonly name: string; readonly email: string } & Where)
  | ({ readonly kind: 'new-device'; readonly name: string } & Where)
  | ({ readonly kind: 'session-stolen'; readonly name: string } & Where)
  | { readonly kind: 'email-change-confirm'; readonly name: string; readonly link: string }
  | { readonly kind: 'email-changed'; readonly name: string; readonly email: string; readonly link: string }
  | ({
      readonly kind: 'invitation'
      readonly link: string
      /** The company of the owner, and the only panel or workspace that is opened. */
      readonly company?: string | null
      readonly thing?: string | null
    } & Between)
  | ({ readonly kind: 'invitation-accepted' } & Between)
  | ({ readonly kind: 'access-removed' } & Between)
  | ({ readonly kind: 'access-left' } & Between)
  | { readonly kind: 'balance-low'; readonly name: string; readonly held: Sum; readonly on: string }
  | ({ readonly kind: 'balance-negative' } & OfBalance)
  | ({ readonly kind: 'balance-warned' } & OfBalance)
  | {
      readonly kind: 'account-suspended'
      readonly name: string
      readonly held: Sum
      /** True when the trial has ended, and there is no debt. */
      readonly trial: boolean
    }
  | { readonly kind: 'account-resumed'; readonly name: string }
  | {
      readonly kind: 'payment-action'
      readonly name: string
      readonly amount: Sum
      readonly transaction: number
    }
  | { readonly kind: 'payment-declined'; readonly name: string; readonly amount: Sum }
  | {
      readonly kind: 'refund-returned'
      readonly name: string
      readonly amount: Sum
      /** The number of the new invoice for the money. */
      readonly number: string
    }
  | ({ readonly kind: 'card-expiring' } & OfCard)
  | ({ readonly kind: 'card-expired' } & OfCard)
  | ({
      readonly kind: 'account-closed'
      readonly name: string
      /** The time of the erasure of data that no law retains. */
      readonly erased: string
    } & Where)
  | {
      readonly kind: 'account-closed-by-staff'
      readonly name: string
      readonly reason: string
      readonly erased: string
    }
  | {
      readonly kind: 'data-export-ready'
      readonly name: string
      /** When its file is deleted, ISO 8601. */
      readonly until: string
      /** Staff asked for it, not the client. */
      readonly byStaff?: boolean
    }
  | {
      readonly kind: 'staff-alert'
      readonly name: string
      readonly topic: AlertTopic
      /** The subject, such as `payment 12`. */
      readonly about: string
      /** Known facts, one line each. */
      readonly facts: readonly string[]
    }
  | {
      readonly kind: 'staff-invitation'
      readonly name: string
      readonly role: 'support' | 'billing' | 'admin' | 'readonly'
      readonly link: string
    }
  | ({
      readonly kind: 'staff-new-device'
      readonly name: string
      /** The member of staff who signed in, and their address. */
      readonly who: string
    } & Where)
  | {
      readonly kind: 'staff-request'
      readonly name: string
      /** The name of the person who asks. */
      readonly by: string
      readonly verb: AskedVerb
      readonly about: string
      readonly reason: string
      /** The only administrator asks. */
      readonly isLonely: boolean
    }
  | {
      readonly kind: 'settings-replaced'
      readonly name: string
      /** The name of the administrator who replaces them. */
      readonly by: string
      /** Their names. */
      readonly settings: readonly string[]
      readonly reason: string
    }
  | { readonly kind: 'test-letter'; readonly name: string }
  | { readonly kind: 'panel-degraded'; readonly name: string; readonly panel: string }
  | ({ readonly kind: 'panel-stopped' } & OfPanel)
  | ({ readonly kind: 'panel-terminated' } & OfPanel)
  | ({ readonly kind: 'panels-stopped' } & OfPanels)
  | ({ readonly kind: 'panels-terminated' } & OfPanels)
  | ({ readonly kind: 'email-change-by-staff'; readonly email: string } & OfReason)
  | ({ readonly kind: 'two-factor-reset' } & OfReason)
  | ({ readonly kind: 'email-confirmed-by-staff' } & OfReason)
  | ({ readonly kind: 'sessions-ended' } & OfReason)
  | ({ readonly kind: 'account-blocked' } & OfReason)
  | { readonly kind: 'account-unblocked'; readonly name: string }
  | ({ readonly kind: 'account-viewed'; readonly by: string } & OfReason)
  | ({ readonly kind: 'announcement' } & Announcement)
  | ({ readonly kind: 'newsletter'; readonly unsubscribe: string } & Announcement)
  | PlanLetter
  | TicketLetter
  | DocumentLetter

/** What the operator announces: a title, and a paragraph for each line. */
type Announcement = { readonly name: string; readonly title: string; readonly lines: readonly string[] }

type OfReason = { readonly name: string; readonly reason: string }

type OfPanel = OfReason & { readonly panel: string }

type OfPanels = {
  readonly name: string
  /** Their names; none where a client without panels is stopped. */
  readonly panels: readonly string[]
  readonly reason: string
}

export type LetterKind = Letter['kind']

/**
 * The cause of a letter: `asked` when anybody can trigger it by naming an address; `notice` for an event of
 * the recipient's account; `run` for a batch of the portal, which may reach everybody within minutes. The
 * first kind is limited in number, the last has the lowest priority.
 */
export const causes: { readonly [K in LetterKind]: 'asked' | 'notice' | 'run' } = {
  'verify-email': 'asked',
  'already-registered': 'asked',
  'password-reset': 'asked',
  'email-change-confirm': 'asked',
  'password-changed': 'notice',
  'two-factor-enabled': 'notice',
  'two-factor-disabled': 'notice',
  'two-factor-guessed': 'notice',
  'recovery-code-used': 'notice',
  'recovery-codes-renewed': 'notice',
  'passkey-added': 'notice',
  'passkey-removed': 'notice',
  'google-linked': 'notice',
  'google-unlinked': 'notice',
  'google-refused': 'notice',
  'new-device': 'notice',
  'session-stolen': 'notice',
  'email-changed': 'notice',
  invitation: 'asked',
  'invitation-accepted': 'notice',
  'access-removed': 'notice',
  'access-left': 'notice',
  'invoice-copy': 'asked',
  'document-sent': 'notice',
  'invoice-issued': 'run',
  'balance-low': 'run',
  'balance-negative': 'run',
  'balance-warned': 'run',
  'account-suspended': 'run',
  'account-resumed': 'notice',
  'payment-action': 'notice',
  'payment-declined': 'notice',
  'refund-returned': 'notice',
  'card-expiring': 'run',
  'card-expired': 'run',
  'prices-rise': 'run',
  'plan-traffic': 'run',
  announcement: 'run',
  newsletter: 'run',
  'plan-assigned': 'notice',
  'ticket-message': 'notice',
  'account-closed': 'notice',
  'account-closed-by-staff': 'notice',
  'data-export-ready': 'notice',
  'panel-degraded': 'notice',
  'panel-stopped': 'notice',
  'panel-terminated': 'notice',
  'panels-stopped': 'notice',
  'panels-terminated': 'notice',
  'two-factor-reset': 'notice',
  'email-change-by-staff': 'notice',
  'email-confirmed-by-staff': 'notice',
  'sessions-ended': 'notice',
  'account-blocked': 'notice',
  'account-unblocked': 'notice',
  'account-viewed': 'notice',
  'staff-alert': 'notice',
  'staff-invitation': 'notice',
  'staff-new-device': 'notice',
  'staff-request': 'notice',
  'settings-replaced': 'notice',
  'test-letter': 'asked',
}

/**
 * The letters that a person can opt out of, with their kind (see `mailKinds`). All other
 * letters are always sent: those about account security, about suspension, and requested ones.
 */
export const choices: { readonly [K in LetterKind]?: MailKind } = {
  'invoice-issued': 'invoice_issued',
  'payment-declined': 'payment_failed',
  'ticket-message': 'ticket_answered',
  'invitation-accepted': 'invitation_accepted',
  'panel-degraded': 'panel_degraded',
  newsletter: 'newsletter',
}

/** The languages of letters. */
export const letterLanguages = ['en', 'ro'] as const
export type LetterLanguage = (typeof letterLanguages)[number]

import type { AlertTopic } from '@portico/contract/rules/alert-topics.ts'
import type { NotificationKind } from '@portico/contract/rules/notification-kinds.ts'

/**
 * Where something was done from, as letters tell it: "Firefox on Windows, from 203.0.113.7, on 21 Nov 2026, 14:05 UTC". The
 * words between are the language's own. Null where nothing is known; `at` is ISO 8601.
 */
export type Where = {
  readonly device: { readonly browser: string | null; readonly system: string | null }
  readonly ip: string | null
  readonly at: string
}

/**
 * What opens an account beside its password: how many passkeys, which accounts at Google, a second factor; and the API keys
 * that stand, by what their owner called them.
 */
export type WaysIn = {
  readonly passkeys: number
  readonly google: readonly string[]
  readonly two_factor: boolean
  readonly api_keys: readonly string[]
}

/** Somebody who is written to about somebody else, who is told by name and by the address that they confirmed. */
export type Between = { readonly name: string; readonly other: string; readonly email: string }

/** An exact decimal, and its currency by ISO 4217. */
export type Sum = { readonly amount: string; readonly currency: string }

/** A letter about what somebody holds, credit included, and the UTC day on which something comes of it. */
type OfBalance = {
  readonly name: string
  readonly held: Sum
  /** For how many days it has been below zero, so that no two reminders are headed alike. */
  readonly days: number
  readonly on: string | null
}

/** A document that somebody is told of: what it comes to, and until which day it is to be paid; null when it is paid. */
export type IssuedDocument = {
  readonly what: 'fiscal' | 'credit_note'
  readonly number: string
  readonly total: string
  readonly currency: string
  readonly due: string | null
  /** The files that the letter carries, by reference: they are read when it is sent. */
  readonly attached?: { readonly invoiceId: number; readonly formats: readonly ('pdf' | 'xml')[] }
}

/** A card as people know it; `on` is the first UTC day on which it cannot be charged. */
type OfCard = { readonly name: string; readonly brand: string; readonly last4: string; readonly on: string }

/**
 * Everything the portal writes to people, and what each letter tells. Links are paths of the portal; they may hold a secret,
 * so a letter is sealed while it waits.
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
  | ({ readonly kind: 'password-changed'; readonly name: string; readonly remaining: WaysIn } & Where)
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
  | ({ readonly kind: 'invitation'; readonly link: string } & Between)
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
      /** Because the trial has ended, and not for a debt. */
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
      /** Of the invoice that the money has now. */
      readonly number: string
    }
  | ({ readonly kind: 'card-expiring' } & OfCard)
  | ({ readonly kind: 'card-expired' } & OfCard)
  | {
      readonly kind: 'ticket-message'
      readonly name: string
      /** Who wrote it, and what: its paragraphs, and the names of its files. */
      readonly author: string
      readonly lines: readonly string[]
      readonly files: readonly string[]
      /** Of the ticket. */
      readonly number: string
      readonly subject: string
      readonly to: AnsweredBy
    }
  | ({
      readonly kind: 'account-closed'
      readonly name: string
      /** When what no law keeps is erased. */
      readonly erased: string
    } & Where)
  | {
      readonly kind: 'data-export-ready'
      readonly name: string
      /** When its file is deleted, ISO 8601. */
      readonly until: string
    }
  | {
      readonly kind: 'staff-alert'
      readonly name: string
      readonly topic: AlertTopic
      /** What it is about: `payment 12`. */
      readonly about: string
      /** What is known of it, a line each. */
      readonly facts: readonly string[]
    }
  | { readonly kind: 'panel-degraded'; readonly name: string; readonly panel: string }
  | { readonly kind: 'invoice-copy'; readonly number: string; readonly invoiceId: number }
  | ({ readonly kind: 'invoice-issued'; readonly name: string } & IssuedDocument)

/** Who answers a letter about a ticket, from which the address follows that the answer comes to. */
type AnsweredBy = {
  readonly ticketId: number
  readonly kind: 'client' | 'staff' | 'email'
  readonly id: number
}

export type LetterKind = Letter['kind']

/**
 * Who causes a letter: `asked` when somebody only has to name an address, which need not be their own; `notice` when
 * something happened to the account of whoever gets it; `run` when that comes of the portal's own work, which may reach
 * everybody within minutes. The first are held back when there are too many, the last make room for all others.
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
  'ticket-message': 'notice',
  'account-closed': 'notice',
  'data-export-ready': 'notice',
  'panel-degraded': 'notice',
  'staff-alert': 'notice',
}

/**
 * The letters that a person may do without, and the kind of news that each tells (see `notificationKinds`). Whatever is not
 * here is always sent: what concerns the safety of an account, what stops panels, and what was asked for.
 */
export const choices: { readonly [K in LetterKind]?: NotificationKind } = {
  'invoice-issued': 'invoice_issued',
  'payment-declined': 'payment_failed',
  'ticket-message': 'ticket_answered',
  'invitation-accepted': 'invitation_accepted',
  'panel-degraded': 'panel_degraded',
}

/** The languages that letters are written in. */
export const letterLanguages = ['en', 'ro'] as const
export type LetterLanguage = (typeof letterLanguages)[number]

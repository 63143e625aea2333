import * as z from 'zod/mini'
import { moment, noInput, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

/** The settings that are entered at the desk where the server does not set their variable, by their group. */
export const settingGroups = {
  mail: ['SMTP_URL', 'MAIL_FROM', 'REPLY_ADDRESS', 'IMAP_URL', 'MAIL_INBOUND_SECRET', 'MAIL_AUTHSERV_ID'],
  payments: ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'],
} as const

export type SettingGroup = keyof typeof settingGroups
export type SettingKey = (typeof settingGroups)[SettingGroup][number]

const groupNames = ['mail', 'payments'] as const satisfies readonly SettingGroup[]

/** All of them. */
export const settingKeys = [...settingGroups.mail, ...settingGroups.payments] as const

/** Those that are sealed, and never shown again. */
export const secretSettings: readonly SettingKey[] = [
  'SMTP_URL',
  'IMAP_URL',
  'MAIL_INBOUND_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
]

const value = z.optional(
  z.string().check(z.trim(), z.maxLength(1000, fault('characters_most', { most: 1000 }))),
)

/** Each setting as a field of a form. An absent one stays as it is, and so does a secret that is empty; else empty removes it. */
export const settingFields = {
  smtp_url: value,
  mail_from: value,
  reply_address: value,
  imap_url: value,
  mail_inbound_secret: value,
  mail_authserv_id: value,
  stripe_secret_key: value,
  stripe_publishable_key: value,
  stripe_webhook_secret: value,
} as const satisfies Record<Lowercase<SettingKey>, unknown>

/** Why a test letter was not taken: the answer of the mail server, in its words; null when it was taken. */
const problem = z.nullable(z.string())

export const operatorSettings = resource('operator-settings', {
  description:
    'What the portal needs of the outside: mail and payments. A variable of the server goes before what is entered here; secrets are sealed and never shown.',
  attributes: {
    key: z.enum(settingKeys),
    group: z.enum(groupNames),
    is_secret: z.boolean(),
    /** `server`: a variable sets it, and it cannot be changed here. */
    source: z.enum(['server', 'desk', 'none']),
    /** Null for secrets, and where nothing is set. */
    value: z.nullable(z.string()),
    ...stamps,
  },
  actions: {
    save: action({
      method: 'POST',
      on: 'type',
      description:
        'Administrators only: sets values; every process of the portal uses them within five seconds. A new key of Stripe is tried first. Refuses what a variable of the server sets. Needs a recent sign-in.',
      input: z.strictObject(settingFields),
      output: z.object({ saved: z.array(z.enum(settingKeys)) }),
    }),
    clear: action({
      method: 'POST',
      on: 'type',
      description:
        'Administrators only: removes all values of a group that were entered at the desk. Needs a recent sign-in.',
      input: z.strictObject({ group: z.enum(groupNames) }),
      output: z.object({ cleared: z.array(z.enum(settingKeys)) }),
    }),
    sendTest: action({
      method: 'POST',
      on: 'type',
      description:
        'Administrators only: sends a letter to their own address at once, one each 20 seconds, and says what the mail server answered. Needs a recent sign-in.',
      input: noInput,
      output: z.object({ to: z.string(), problem }),
    }),
    webhook: action({
      method: 'GET',
      on: 'type',
      description: 'When the last message of the payment provider arrived; null before the first.',
      input: noInput,
      output: z.object({ seen_at: z.nullable(moment) }),
    }),
  },
})

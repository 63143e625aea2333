import type { SettingKey } from '@portico/contract/resources/operator-settings.ts'
import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'

export type Setting = Row<'operator-settings'>

type Words = { readonly label: () => string; readonly hint: () => string }

/** Where Stripe sends its messages. */
const webhookUrl = () => `${location.origin}/webhooks/stripe`

/** The names of the settings, and the form of their values. */
export const words: Record<SettingKey, Words> = {
  SMTP_URL: { label: m.desk_settings_smtp_url, hint: m.desk_settings_smtp_url_hint },
  MAIL_FROM: { label: m.desk_settings_mail_from, hint: m.desk_settings_mail_from_hint },
  REPLY_ADDRESS: { label: m.desk_settings_reply_address, hint: m.desk_settings_reply_address_hint },
  IMAP_URL: { label: m.desk_settings_imap_url, hint: m.desk_settings_imap_url_hint },
  MAIL_INBOUND_SECRET: {
    label: m.desk_settings_mail_inbound_secret,
    hint: m.desk_settings_mail_inbound_secret_hint,
  },
  MAIL_AUTHSERV_ID: {
    label: m.desk_settings_mail_authserv_id,
    hint: m.desk_settings_mail_authserv_id_hint,
  },
  STRIPE_SECRET_KEY: {
    label: m.desk_settings_stripe_secret_key,
    hint: m.desk_settings_stripe_secret_key_hint,
  },
  STRIPE_PUBLISHABLE_KEY: {
    label: m.desk_settings_stripe_publishable_key,
    hint: m.desk_settings_stripe_publishable_key_hint,
  },
  STRIPE_WEBHOOK_SECRET: {
    label: m.desk_settings_stripe_webhook_secret,
    hint: () => m.desk_settings_stripe_webhook_secret_hint({ url: webhookUrl() }),
  },
}

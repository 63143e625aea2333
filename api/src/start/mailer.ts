import type { Logger } from 'pino'
import type { Env } from '#config/env.ts'
import { keepingMailer, type Mailer } from '#platform/mail/transport/mailer.ts'

/**
 * Creates the mailer of the configured mail server. Without one letters are only stored, which is meant for
 * demos.
 */
export async function mailerOf(env: Env, log: Logger): Promise<Mailer> {
  if (env.smtpUrl !== undefined) {
    // Loaded on use: it takes several megabytes that an installation without mail does not need.
    const { smtpMailer } = await import('#platform/mail/transport/smtp-mailer.ts')
    return smtpMailer({ ...env, smtpUrl: env.smtpUrl })
  }
  log[env.seed === 'demo' ? 'info' : 'warn']('Mail is not sent, because SMTP_URL is not set.')
  return keepingMailer
}

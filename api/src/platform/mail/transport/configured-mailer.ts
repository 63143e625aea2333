import type { Logger } from 'pino'
import type { Env } from '#config/env.ts'
import { keepingMailer, type Mailer } from './mailer.ts'
import { smtpServer } from './smtp-server.ts'

/**
 * Creates the mailer of the configured mail server. Without one letters are only stored, which is meant for
 * demos.
 */
export async function mailerOf(env: Env, log: Logger): Promise<Mailer> {
  if (env.smtpUrl !== undefined) {
    // Loaded on use: it takes several megabytes that an installation without mail does not need.
    const { smtpMailer } = await import('./smtp-mailer.ts')
    return smtpMailer(smtpServer(env, env.smtpUrl))
  }
  log[env.seed === 'demo' ? 'info' : 'warn']('Mail is not sent, because SMTP_URL is not set.')
  return keepingMailer
}

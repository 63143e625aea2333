import type { Logger } from 'pino'
import type { Env } from '#config/env.ts'
import { keepingMailer, type Mailer } from './mailer.ts'
import { smtpServer } from './smtp-server.ts'

/**
 * Creates the mailer of the configured mail server. Without one the letters of a demo are only stored, and
 * those of any other portal wait, for which it returns null.
 */
export async function mailerOf(env: Env, log: Logger): Promise<Mailer | null> {
  if (env.smtpUrl !== undefined) {
    // Loaded on use: it takes several megabytes that an installation without mail does not need.
    const { smtpMailer } = await import('./smtp-mailer.ts')
    return smtpMailer(smtpServer(env, env.smtpUrl))
  }
  if (env.seed === 'demo') {
    log.info('Mail is not sent, because SMTP_URL is not set.')
    return keepingMailer
  }
  log.warn('Letters wait, because no mail server is set, neither by SMTP_URL nor at the desk.')
  return null
}

import type { Env } from '#config/env.ts'
import { allowedHosts } from '#platform/egress.ts'

/** The configured mail server. An address that a person entered at the desk leads to public hosts only, or to allowed ones. */
export const smtpServer = ({ publicUrl, mailFrom, fromDesk, engineAllowedHosts }: Env, smtpUrl: string) => ({
  smtpUrl,
  publicUrl,
  mailFrom,
  allowed: fromDesk.includes('SMTP_URL') ? allowedHosts(engineAllowedHosts) : undefined,
})

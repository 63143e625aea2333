import type { Env } from '#config/env.ts'
import { type Allowed, allowedHosts } from '#platform/egress.ts'

/**
 * The ports on which mail servers take letters from this machine; on no other may a person reach it. Not 465: a server here has a
 * certificate of its own making, which TLS from the start refuses.
 */
const mailPorts: readonly string[] = ['25', '587']

const loopback = allowedHosts(['127.0.0.0/8', '::1'])

/** Whether an address names the mail server on this machine, as people enter it. */
function isLocalServer(smtpUrl: string): boolean {
  const { protocol, hostname, port } = new URL(smtpUrl)
  // The parser keeps the capitals of a host where the scheme is not one of the web.
  return protocol === 'smtp:' && hostname.toLowerCase() === 'localhost' && mailPorts.includes(port || '587')
}

/** What a mail server that a person entered may lead to, besides public addresses: the allowed hosts, and `localhost`. */
export function allowedFor(
  smtpUrl: string,
  { engineAllowedHosts }: Pick<Env, 'engineAllowedHosts'>,
): Allowed {
  const { names, networks } = allowedHosts(engineAllowedHosts)
  return { names, networks: isLocalServer(smtpUrl) ? [...networks, ...loopback.networks] : networks }
}

/** The configured mail server. An address that a person entered at the desk leads to public hosts only, or to allowed ones. */
export const smtpServer = (env: Env, smtpUrl: string) => ({
  smtpUrl,
  publicUrl: env.publicUrl,
  mailFrom: env.mailFrom,
  allowed: env.fromDesk.includes('SMTP_URL') ? allowedFor(smtpUrl, env) : undefined,
})

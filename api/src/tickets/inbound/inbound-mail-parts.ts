import type { Env } from '#config/env.ts'
import type { Pool } from '#platform/db/pool.ts'
import { allowedHosts } from '#platform/egress.ts'
import type { FileParts } from '#platform/files/file-parts.ts'
import { imapMailbox } from '#platform/mail/inbound/imap-mailbox.ts'
import { readMailApart } from '#platform/mail/inbound/mail-reader.ts'
import { replyAddresses } from '#platform/mail/reply-address.ts'
import type { Vault } from '#platform/vault.ts'
import { admitBytes } from '#tickets/files/admit.ts'
import type { InboundMailParts } from './mail-in.ts'

type Parts = {
  readonly env: Pick<Env, 'seed' | 'replyAddress' | 'mailAuthserv' | 'tokenSecret'> &
    Partial<Pick<Env, 'imapUrl' | 'engineAllowedHosts' | 'fromDesk'>>
  readonly pool: Pool
  readonly clock: { now(): Date }
  readonly vault: Vault
  readonly files: FileParts
}

/** The signer of the demo's authentication results: its own outbox page, because it has no mail server. */
export const demoAuthserv = 'outbox.demo.test'

/** The networks besides public ones where a mailbox may be that a person entered. */
const allowedFor = ({ fromDesk = [], engineAllowedHosts = [] }: Parts['env']) =>
  fromDesk.includes('IMAP_URL') ? allowedHosts(engineAllowedHosts) : undefined

/** The dependencies of inbound mail by the configuration; without a reply address none is read. */
export function inboundMailParts({ env, pool, clock, vault, files }: Parts): InboundMailParts {
  const { replyAddress, tokenSecret } = env
  const authserv = env.mailAuthserv ?? (env.seed === 'demo' ? demoAuthserv : undefined)
  return {
    pool,
    clock,
    vault,
    replies: replyAddress && tokenSecret ? replyAddresses(replyAddress, tokenSecret) : undefined,
    mailbox: env.imapUrl === undefined ? undefined : imapMailbox(env.imapUrl, undefined, allowedFor(env)),
    readMail: (raw) => readMailApart(raw, authserv),
    keepFile: (filename, content) => admitBytes({ ...files, pool }, filename, content),
    storage: files.storage,
  }
}

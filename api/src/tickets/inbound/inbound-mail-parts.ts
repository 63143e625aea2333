import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { extensionOf } from '@portico/contract/rules/ticket-files.ts'
import type { Env } from '#config/env.ts'
import type { Pool } from '#platform/db/pool.ts'
import { contentType, stripFile } from '#platform/files/file-content.ts'
import type { FileParts } from '#platform/files/file-parts.ts'
import { imapMailbox } from '#platform/mail/inbound/imap-mailbox.ts'
import { readMailApart } from '#platform/mail/inbound/mail-reader.ts'
import { replyAddresses } from '#platform/mail/reply-address.ts'
import type { Vault } from '#platform/vault.ts'
import { cleanName } from '#tickets/files/files.ts'
import type { InboundMailParts } from './mail-in.ts'

type Parts = {
  readonly env: Pick<Env, 'seed' | 'replyAddress' | 'mailAuthserv' | 'tokenSecret'> &
    Partial<Pick<Env, 'imapUrl'>>
  readonly pool: Pool
  readonly clock: { now(): Date }
  readonly vault: Vault
  readonly files: FileParts
}

/** What signs the findings of the demo, which has no mail server: its own outbox page. */
export const demoAuthserv = 'outbox.demo.test'

/** Looks into what came with a mail as into what is uploaded, and keeps it; undefined for what may not be attached. */
const keeper =
  ({ storage, scanner }: FileParts): InboundMailParts['keepFile'] =>
  async (sent, content) => {
    const filename = cleanName(sent)
    const extension = extensionOf(filename)
    if (extension === undefined || content.byteLength === 0) return undefined
    const key = randomUUID()
    const file = path.join(storage.incoming, key)
    try {
      await fs.writeFile(file, content, { flag: 'wx', mode: 0o600 })
      const mime = await contentType(file, extension)
      const finding = mime === undefined ? 'infected' : await scanner(file)
      if (mime === undefined || finding === 'infected') return undefined
      const stripped = await stripFile(file, mime)
      await storage.keep(key, file)
      const whole = { size: content.byteLength, sha256: createHash('sha256').update(content).digest() }
      return { filename, mime, ...(stripped ?? whole), key, finding }
    } finally {
      await fs.rm(file, { force: true })
    }
  }

/** Where mail that comes is read, as the configuration says; without an address for answers none is. */
export function inboundMailParts({ env, pool, clock, vault, files }: Parts): InboundMailParts {
  const { replyAddress, tokenSecret } = env
  const authserv = env.mailAuthserv ?? (env.seed === 'demo' ? demoAuthserv : undefined)
  return {
    pool,
    clock,
    vault,
    replies: replyAddress && tokenSecret ? replyAddresses(replyAddress, tokenSecret) : undefined,
    mailbox: env.imapUrl === undefined ? undefined : imapMailbox(env.imapUrl),
    readMail: (raw) => readMailApart(raw, authserv),
    keepFile: keeper(files),
    storage: files.storage,
  }
}

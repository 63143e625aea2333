import type { FetchMessageObject, ImapFlow, ImapFlowOptions } from 'imapflow'
import { type Allowed, guardedAddress } from '#platform/egress.ts'
import { isThisMachine, serverAt, shortenMessage } from '#platform/mail/transport/mail-server.ts'
import type { Mailbox, Visit } from './mailbox.ts'

type Limits = {
  /**
   * The time limit of a visit in milliseconds: less than that of its job. After half of it no further mail is
   * begun.
   */
  readonly patience: number
  /** In bytes. */
  readonly largest: number
}

// The same size limit as for mail that is submitted by HTTP.
const usual: Limits = { patience: 25_000, largest: 36 * 1_048_576 }

/** The connection options. A password only travels encrypted, except on this machine. */
function optionsOf(imapUrl: string, { patience, largest }: Limits): ImapFlowOptions {
  const { protocol, hostname } = new URL(imapUrl)
  const secure = protocol === 'imaps:'
  return {
    port: secure ? 993 : 143,
    ...serverAt(imapUrl),
    secure,
    ...(!secure && !isThisMachine(hostname) && { doSTARTTLS: true }),
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    // A server that announces less than it sends is disconnected.
    maxLiteralSize: 2 * largest,
    disableAutoIdle: true,
    logger: false,
  }
}

/** The address to connect to in place of a name, whose certificate it still has to show. */
async function checkedHost(host: string, allowed: Allowed) {
  const address = await guardedAddress(host, allowed)
  return { host: address, ...(address !== host && { servername: host }) }
}

/** The reason of a failed visit. The library's own errors hold what was sent, so they are not logged. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The reason is unknown.'
  const word = (name: string): string =>
    typeof Reflect.get(error, name) === 'string' ? Reflect.get(error, name) : ''
  return shortenMessage(`${word('code')} ${word('responseText') || error.message}`.trim())
}

/** Marks a mail, which a server may refuse without an error. */
async function mark(client: ImapFlow, uid: number, flag: string): Promise<void> {
  const marked = await client.messageFlagsAdd(String(uid), [flag], { uid: true })
  if (!marked) throw new Error(`The mail server did not set ${flag}.`)
}

async function waiting(client: ImapFlow, largest: number): Promise<FetchMessageObject[]> {
  // A flagged oversized mail stays unread, and must not block later mail.
  const wanted = { or: [{ flagged: false }, { smaller: largest + 1 }] }
  const uids = await client.search({ seen: false, deleted: false, ...wanted }, { uid: true })
  if (!uids || uids.length === 0) return []
  // A mailbox with years of unread mail is read in batches.
  const first = uids.toSorted((a, b) => a - b).slice(0, 200)
  return client.fetchAll(first.join(','), { uid: true, size: true }, { uid: true })
}

type Reading = {
  readonly client: ImapFlow
  /** The folder name, for a reader of several. */
  readonly name: string
  readonly take: Parameters<Mailbox['visit']>[0]
  readonly largest: number
  readonly until: number
}

async function read({ client, name, take, largest, until }: Reading): Promise<Visit> {
  if (!client.mailbox || client.mailbox.readOnly) throw new Error('The folder is read-only.')
  const { uidValidity } = client.mailbox
  const visit = { taken: 0, tooLarge: 0 }
  for (const { uid, size = 0 } of await waiting(client, largest)) {
    if (performance.now() > until) break
    if (size > largest) {
      await mark(client, uid, '\\Flagged')
      visit.tooLarge += 1
      continue
    }
    const mail = await client.fetchOne(String(uid), { source: true }, { uid: true })
    // The mail was deleted in the meantime.
    if (!mail || mail.source === undefined) continue
    // A recreated folder restarts its ids and has another validity.
    await take(mail.source, `imap:${name}:${uidValidity}:${uid}`)
    await mark(client, uid, '\\Seen')
    visit.taken += 1
  }
  return visit
}

/**
 * The folder of an address such as imaps://user:password@host:993/INBOX. Each visit opens its own connection.
 * A mail is marked as read after it was taken; an interrupted visit delivers it again with the same id. `allowed` is set where
 * a person entered the address: what may be reached besides public addresses.
 */
export function imapMailbox(imapUrl: string, limits = usual, allowed?: Allowed): Mailbox {
  const { username, host, pathname } = new URL(imapUrl)
  const folder = decodeURIComponent(pathname.slice(1)) || 'INBOX'
  const name = `${username}@${host}/${folder}`
  const options = optionsOf(imapUrl, limits)
  return {
    visit: async (take) => {
      // Loaded on use: it takes several megabytes that an installation without a mailbox does not need.
      const { ImapFlow } = await import('imapflow')
      const client = new ImapFlow({
        ...options,
        ...(allowed && (await checkedHost(serverAt(imapUrl).host, allowed))),
      })
      // Ignored, because the pending command fails with the same error.
      client.on('error', () => undefined)
      const timer = setTimeout(() => client.close(), limits.patience)
      try {
        await client.connect()
        await client.mailboxOpen(folder)
        const until = performance.now() + limits.patience / 2
        const visit = await read({ client, name, take, largest: limits.largest, until })
        await client.logout()
        return visit
      } catch (error) {
        throw new Error(`The mailbox was not read to its end. ${reasonOf(error)}`)
      } finally {
        clearTimeout(timer)
        client.close()
      }
    },
  }
}

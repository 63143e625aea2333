import type { FetchMessageObject, ImapFlow, ImapFlowOptions } from 'imapflow'
import { isThisMachine, saidBriefly, serverAt } from '#platform/mail/transport/mail-server.ts'
import type { Mailbox, Visit } from './mailbox.ts'

type Limits = {
  /** How long a visit may take, in milliseconds: less than the job that makes it. After half of it no mail is begun. */
  readonly patience: number
  /** In bytes. */
  readonly largest: number
}

// As much as the door takes at which mail is handed over.
const usual: Limits = { patience: 25_000, largest: 36 * 1_048_576 }

/** How a server is spoken to. A password only travels encrypted, except on this machine. */
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
    // A server that says less than it sends is not listened to.
    maxLiteralSize: 2 * largest,
    disableAutoIdle: true,
    logger: false,
  }
}

/** Why a visit failed. The library's own errors hold what was sent, so they go nowhere. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'It is not known why.'
  const word = (name: string): string =>
    typeof Reflect.get(error, name) === 'string' ? Reflect.get(error, name) : ''
  return saidBriefly(`${word('code')} ${word('responseText') || error.message}`.trim())
}

/** Marks a mail, which a server may refuse without an error. */
async function mark(client: ImapFlow, uid: number, flag: string): Promise<void> {
  const marked = await client.messageFlagsAdd(String(uid), [flag], { uid: true })
  if (!marked) throw new Error(`The mail server did not set ${flag}.`)
}

async function waiting(client: ImapFlow, largest: number): Promise<FetchMessageObject[]> {
  // What is too large and has its flag stays unread for ever, and must not stand in the way of what came later.
  const wanted = { or: [{ flagged: false }, { smaller: largest + 1 }] }
  const uids = await client.search({ seen: false, deleted: false, ...wanted }, { uid: true })
  if (!uids || uids.length === 0) return []
  // A mailbox that nobody looked after for years is read in pieces.
  const first = uids.toSorted((a, b) => a - b).slice(0, 200)
  return client.fetchAll(first.join(','), { uid: true, size: true }, { uid: true })
}

type Reading = {
  readonly client: ImapFlow
  /** Of the folder, for whoever reads several. */
  readonly name: string
  readonly take: Parameters<Mailbox['visit']>[0]
  readonly largest: number
  readonly until: number
}

async function read({ client, name, take, largest, until }: Reading): Promise<Visit> {
  if (!client.mailbox || client.mailbox.readOnly) throw new Error('The folder can only be read, not marked.')
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
    // Somebody deleted it meanwhile.
    if (!mail || mail.source === undefined) continue
    // A folder that is made anew counts from one again, and has another validity.
    await take(mail.source, `imap:${name}:${uidValidity}:${uid}`)
    await mark(client, uid, '\\Seen')
    visit.taken += 1
  }
  return visit
}

/**
 * The folder of an address such as imaps://user:password@host:993/INBOX. Each visit is a connection of its own, so there is
 * none to lose. A mail is marked as read when it is taken; a visit that is cut off in between hands it over once more, by
 * the same id.
 */
export function imapMailbox(imapUrl: string, limits = usual): Mailbox {
  const { username, host, pathname } = new URL(imapUrl)
  const folder = decodeURIComponent(pathname.slice(1)) || 'INBOX'
  const name = `${username}@${host}/${folder}`
  const options = optionsOf(imapUrl, limits)
  return {
    visit: async (take) => {
      // Some megabytes that an installation without a mailbox has no use for.
      const { ImapFlow } = await import('imapflow')
      const client = new ImapFlow(options)
      // Whatever it is, the command that waits is told too.
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

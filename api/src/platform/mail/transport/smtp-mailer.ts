import type { Socket } from 'node:net'
import { createTransport, type NodemailerError } from 'nodemailer'
import type { Env } from '#config/env.ts'
import { type Allowed, guardedSocket } from '#platform/egress.ts'
import { isThisMachine, serverAt, shortenMessage } from './mail-server.ts'
import type { Handed, Mailer } from './mailer.ts'

/**
 * The time limit of each step, in milliseconds. A server that trickles its answers is given up after twice
 * the time.
 */
const usualPatience = 10_000

const timeouts = (ms: number) => ({
  connectionTimeout: ms,
  greetingTimeout: ms,
  socketTimeout: ms,
  dnsTimeout: ms,
})

// Characters that could end a header, add a recipient, or hide something. Some of them are legal within
// quotation marks, but no real address has them.
const part = String.raw`[^\s\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}<>()[\]\\,;:"@]+`
const plainAddress = new RegExp(`^${part}@${part}$`, 'u')

const reasonOf = ({ code, response, message }: NodemailerError): string =>
  `${code ?? 'EUNKNOWN'}: ${shortenMessage(response ?? message)}`

/**
 * Whether the recipient is refused permanently. Not when the server refuses to relay or objects to our server
 * (5.7.x, RFC 3463): the operator fixes that, like refused credentials and senders.
 */
function isForGood({ code, command, permanent, response = '' }: NodemailerError): boolean {
  if (code === 'EENVELOPE' && command === 'API') return true
  return permanent === true && command === 'RCPT TO' && !/^\d{3}[ -]5\.7\./.test(response)
}

/**
 * Credentials and host of an address such as smtps://user:password@host:465. A password only travels
 * encrypted. Without one nothing is encrypted on this machine, whose server usually has a certificate of its
 * own making.
 */
function serverOf(smtpUrl: string) {
  const { protocol, hostname, username } = new URL(smtpUrl)
  return {
    ...serverAt(smtpUrl),
    secure: protocol === 'smtps:',
    requireTLS: username !== '' && !isThisMachine(hostname),
    ignoreTLS: username === '' && isThisMachine(hostname),
  }
}

type Server = {
  readonly smtpUrl: string
  /** Set where a person entered the address: what may be reached besides public addresses. */
  readonly allowed?: Allowed | undefined
} & Pick<Env, 'publicUrl'>

/** How connections are opened to an address that a person entered. */
function guarded(smtpUrl: string, allowed: Allowed, patience: number) {
  const { host, port = new URL(smtpUrl).protocol === 'smtps:' ? 465 : 587 } = serverAt(smtpUrl)
  const getSocket = (
    _options: object,
    callback: (error: Error | null, found?: { readonly connection: Socket }) => void,
  ) =>
    void guardedSocket({ host, port }, allowed, patience).then(
      (connection) => callback(null, { connection }),
      callback,
    )
  return { getSocket }
}

const transportTo = ({ smtpUrl, publicUrl, allowed }: Server, patience: number) =>
  createTransport({
    pool: true,
    // Mail is sent one after another; see `queueMail`.
    maxConnections: 1,
    idleTimeout: 30_000,
    // The queue does the retries and counts them.
    maxRequeues: 0,
    name: new URL(publicUrl).hostname,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...timeouts(patience),
    ...serverOf(smtpUrl),
    ...(allowed && guarded(smtpUrl, allowed, patience)),
  })

/** Connects to the server and signs in, without sending; returns the reason when that fails. */
export async function smtpProblem(server: Server, patience = usualPatience): Promise<string | undefined> {
  const transport = transportTo(server, patience)
  return transport
    .verify()
    .then(() => undefined, reasonOf)
    .finally(() => transport.close())
}

/** Sends mail to an SMTP server, over a connection that stays open while there is mail to send. */
export function smtpMailer(
  { mailFrom, ...server }: Server & Pick<Env, 'mailFrom'>,
  patience = usualPatience,
): Mailer {
  const transport = transportTo(server, patience)
  const failed = (error: NodemailerError): Handed => ({
    taken: false,
    reason: reasonOf(error),
    forGood: isForGood(error),
  })
  return {
    send: async ({
      messageId,
      to,
      sender = '',
      replyTo,
      thread,
      unsubscribe,
      attachments = [],
      ...content
    }) => {
      if (!plainAddress.test(to))
        return { taken: false, reason: 'The address is not valid for sending.', forGood: true }
      const sent = transport.sendMail({
        ...content,
        attachments: [...attachments],
        messageId: `<${messageId}>`,
        // Address objects are not parsed, so each stays one address. Nodemailer mutates them, so each send
        // gets its own.
        from: { ...mailFrom, name: mailFrom.name || sender },
        to: { name: '', address: to },
        ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
        ...(thread !== undefined && { inReplyTo: `<${thread}>`, references: `<${thread}>` }),
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          ...(unsubscribe !== undefined && {
            'List-Unsubscribe': `<${unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
        xMailer: false,
        signal: AbortSignal.timeout(2 * patience),
      })
      return sent.then((): Handed => ({ taken: true }), failed)
    },
    close: () => transport.close(),
  }
}

import { createTransport, type NodemailerError } from 'nodemailer'
import type { Env } from '../env.ts'
import type { Handed, Mailer } from './mailer.ts'

const patience = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 10_000,
  dnsTimeout: 10_000,
}

/** A server that answers just often enough to look alive is given up too, in milliseconds. */
const longestSend = 20_000

// What could end a header or name a second recipient. Such addresses are legal within quotation marks, and nobody has one.
const plainAddress = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u

// Addresses of pages, and anything as long as a secret: a server may quote what it refuses.
const quoted = /\S+:\/\/\S+|[\w+/=-]{20,}/g

function reasonOf({ code, response, message }: NodemailerError): string {
  const said = (response ?? message).replace(/\s+/g, ' ').replace(quoted, '…')
  return `${code ?? 'EUNKNOWN'}: ${said.slice(0, 200)}`
}

/**
 * Whether the recipient was refused and will be again. Not when the server refuses to relay or objects to us (5.7.x, RFC
 * 3463): that is mended by whoever runs the portal, as are refused credentials and senders.
 */
function isForGood({ code, command, permanent, response = '' }: NodemailerError): boolean {
  if (code === 'EENVELOPE' && command === 'API') return true
  return permanent === true && command === 'RCPT TO' && !/^\d{3}[ -]5\.7\./.test(response)
}

const isThisMachine = (host: string) => host === 'localhost' || host === '[::1]' || /^127\./.test(host)

/** Credentials and host of an address such as smtps://user:password@host:465. A password only travels encrypted. */
function serverOf(smtpUrl: string) {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port: Number(port) }),
    secure: protocol === 'smtps:',
    requireTLS: username !== '' && !isThisMachine(hostname),
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
  }
}

/** Hands letters to an SMTP server, over a connection that is kept while there is something to send. */
export function smtpMailer({
  smtpUrl,
  mailFrom,
  publicUrl,
}: { smtpUrl: string } & Pick<Env, 'mailFrom' | 'publicUrl'>): Mailer {
  const transport = createTransport({
    pool: true,
    // Letters are sent one after another; see `queueMail`.
    maxConnections: 1,
    idleTimeout: 30_000,
    // Sending again is the queue's business, which knows how often.
    maxRequeues: 0,
    name: new URL(publicUrl).hostname,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...patience,
    ...serverOf(smtpUrl),
  })
  const failed = (error: NodemailerError): Handed => ({
    taken: false,
    reason: reasonOf(error),
    forGood: isForGood(error),
  })
  return {
    send: async ({ messageId, to, ...content }) => {
      if (!plainAddress.test(to))
        return { taken: false, reason: 'Nothing can be sent to such an address.', forGood: true }
      const sent = transport.sendMail({
        ...content,
        messageId: `<${messageId}>`,
        // Objects are not parsed, so what is in them stays one address.
        from: mailFrom,
        to: { name: '', address: to },
        envelope: { from: mailFrom.address, to: [to] },
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        xMailer: false,
        signal: AbortSignal.timeout(longestSend),
      })
      return sent.then((): Handed => ({ taken: true }), failed)
    },
    close: () => transport.close(),
  }
}

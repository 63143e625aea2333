import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll } from 'vitest'

/** How the server treats the next letters. */
export type Mode =
  | 'accept'
  /** 451 to the recipient. */
  | 'tempfail'
  /** 550 to the recipient: the mailbox does not exist. */
  | 'reject'
  /** 550 to the recipient: the server does not relay for us. */
  | 'no-relay'
  /** 451 after the content. */
  | 'tempfail-late'
  /** Ends the connection when the content has come, and keeps nothing. */
  | 'drop'
  /** Keeps the letter and ends the connection before it says so. */
  | 'keep-and-drop'
  /** Takes the connection and never says a word. */
  | 'hang'
  /** Never answers the content. */
  | 'hang-late'

export type Received = { readonly from: string; readonly to: string[]; readonly raw: string }

export type TestSmtp = {
  readonly url: string
  /** The received mails in order. */
  readonly received: Received[]
  /** For each letter that comes, at its recipient; a `hang` at its connection. */
  mode: Mode
  connections: number
}

const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

const atRecipient: Partial<Record<Mode, Error>> = {
  tempfail: refusal(451, '4.3.0 Come back later'),
  reject: refusal(550, '5.1.1 No such user here'),
  'no-relay': refusal(550, '5.7.1 Relaying denied'),
}

const atContent: Partial<Record<Mode, (go: (error?: Error) => void, end: () => void) => void>> = {
  accept: (go) => go(),
  'tempfail-late': (go) => go(refusal(451, '4.3.0 Come back later')),
  drop: (_, end) => end(),
  'keep-and-drop': (_, end) => end(),
}

/** An SMTP server on the loopback that fails on request and ends with the file. */
export async function testSmtp(more: SMTPServerOptions = {}): Promise<TestSmtp> {
  const sockets = new Set<Socket>()
  const smtp: TestSmtp = { url: '', received: [], mode: 'accept', connections: 0 }
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onConnect: (_session, go) => {
      smtp.connections++
      if (smtp.mode !== 'hang') go()
    },
    onRcptTo: (_address, _session, go) => go(atRecipient[smtp.mode]),
    onData: (stream, { envelope }, go) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const to = envelope.rcptTo.map(({ address }) => address)
        const letter = { from, to, raw: Buffer.concat(chunks).toString('utf8') }
        if (smtp.mode === 'accept' || smtp.mode === 'keep-and-drop') smtp.received.push(letter)
        atContent[smtp.mode]?.(go, end)
      })
    },
    ...more,
  })
  // A connection that is ended from here, or by the other side, is what these tests are about.
  server.on('error', () => undefined)
  server.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    end()
    server.close()
  })
  // A server that listens on TCP has such an address.
  const { port } = server.server.address() as AddressInfo
  return Object.assign(smtp, { url: `smtp://127.0.0.1:${port}` })
}

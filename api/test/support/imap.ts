import type { AddressInfo, Socket } from 'node:net'
import hoodiecrow, { type ImapServer } from 'hoodiecrow-imap'
import { afterAll } from 'vitest'

export type TestImap = {
  /** With a user, a password and the folder INBOX. */
  readonly url: string
  readonly server: ImapServer
  /** Puts a mail into the folder, unread. */
  bring(raw: string): void
  /** The mails of the folder that are marked as read, from the first; of each whether. */
  seen(): boolean[]
  /** Ends every connection, as a server does that restarts. */
  cut(): void
}

/** An IMAP server on the loopback with one folder. Gone when the file ends. */
export async function testImap(
  more: { plugins?: string[]; secureConnection?: boolean } = {},
): Promise<TestImap> {
  const server = hoodiecrow({
    plugins: ['ID', 'UIDPLUS', 'LITERALPLUS'],
    users: { 'me@support.example': { password: 'p/w of the mailbox' } },
    storage: { INBOX: { messages: [] } },
    ...more,
  })
  const sockets = new Set<Socket>()
  const listening = server.server
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has such an address.
  const { port } = listening.address() as AddressInfo
  const messages = () => server.folderCache.INBOX.messages
  const imap: TestImap = {
    url: `imap://me%40support.example:p%2Fw%20of%20the%20mailbox@127.0.0.1:${port}/INBOX`,
    server,
    bring: (raw) => server.appendMessage('INBOX', [], false, raw),
    seen: () => messages().map(({ flags }) => flags.includes('\\Seen')),
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
  listening.on('connection', (socket) => {
    // Answers of a few bytes are not held back for more to come.
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  afterAll(() => {
    imap.cut()
    listening.close()
  })
  return imap
}

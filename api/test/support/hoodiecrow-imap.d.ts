// The package has no types of its own; what is used of it.
declare module 'hoodiecrow-imap' {
  import type { Server } from 'node:net'

  export type Connection = {
    send(response: unknown, description: string, parsed: unknown, data: unknown): void
    end(): void
  }
  type Parsed = { tag: string }
  type Handler = (connection: Connection, parsed: Parsed, data: unknown, done: () => void) => void
  type Message = { uid: number; flags: string[]; raw: string }

  export type ImapServer = {
    server: Server
    folderCache: { INBOX: { messages: Message[] } }
    appendMessage(folder: string, flags: string[], date: Date | false, raw: string): void
    getCommandHandler(command: string): Handler
    setCommandHandler(command: string, handler: Handler): void
  }

  export default function hoodiecrow(options: {
    plugins?: string[]
    users?: Record<string, { password: string }>
    storage?: Record<string, { messages?: { raw: string; flags?: string[] }[] }>
    secureConnection?: boolean
  }): ImapServer
}

import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import type { Connection } from '#platform/db/connection.ts'
import { temporaryFolder } from './temporary.ts'

/** A pooler before the database of a test. */
export type Pooler = { readonly url: string; stop(): Promise<void> }

/** The address of a pooler that listens in a folder. */
export const poolerUrl = ({ user, database }: Connection, folder: string): string =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(folder)}`

const socketName = '.s.PGSQL.5432'

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}

const numbers = (...all: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * all.length)
  for (const [at, one] of all.entries()) bytes.writeInt32BE(one, 4 * at)
  return bytes
}

const version = 196_608
const startup = ({ user = '', database }: Connection): Buffer =>
  message('', Buffer.concat([numbers(version), Buffer.from(`user\0${user}\0database\0${database}\0\0`)]))

/** The greeting of a client: it is authenticated, and may send queries. */
const greeting = Buffer.concat([
  message('R', numbers(0)),
  message('K', numbers(1, 1)),
  message('Z', Buffer.from('I')),
])

const refusal = (text: string): Buffer => message('E', Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${text}\0\0`))

/** Calls back with each whole message of a stream of chunks; the first may lack a type, as that of a client. */
function messagesOf(each: (type: string, body: Buffer) => void, untyped: boolean): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  let head = untyped ? 0 : 1
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= head + 4 && rest.length >= head + rest.readInt32BE(head)) {
      const end = head + rest.readInt32BE(head)
      const [type, body] = [rest.toString('latin1', 0, head), rest.subarray(head + 4, end)]
      rest = rest.subarray(end)
      head = 1
      each(type, body)
    }
  }
}

function answerStartup(client: net.Socket, body: Buffer): void {
  const names = body.toString('latin1', 4).split('\0')
  const refused = ['options', 'statement_timeout'].find((name) => names.includes(name))
  if (refused) client.end(refusal(`unsupported startup parameter: ${refused}`))
  else client.write(greeting)
}

type Session = { readonly socket: net.Socket; owner: net.Socket | undefined }

/**
 * A stand-in for PgBouncer in transaction mode: each transaction gets the session that was idle longest, with
 * whatever an earlier one left in it, and settings of a start are refused.
 */
export async function startPooler(connection: Connection, size: number): Promise<Pooler> {
  const { folder, remove } = temporaryFolder()
  const clients = new Set<net.Socket>()
  const sessions = new Set<Session>()
  const free: Session[] = []
  const waiting: { client: net.Socket; bytes: Buffer }[] = []

  function handOut(): void {
    while (waiting.length > 0) {
      if (free.length === 0 || sessions.size < size) {
        if (sessions.size < size) openSession()
        return
      }
      const [session, next] = [free.shift(), waiting.shift()]
      if (session === undefined || next === undefined) return
      session.owner = next.client
      session.socket.write(next.bytes)
    }
  }

  function openSession(): void {
    const session: Session = {
      socket: net.connect(path.join(connection.host ?? '', socketName)),
      owner: undefined,
    }
    sessions.add(session)
    session.socket.write(startup(connection))
    let greeted = false
    const hear = messagesOf((type, body) => {
      if (type !== 'Z' || body.toString() !== 'I') return
      greeted = true
      session.owner = undefined
      free.push(session)
    }, false)
    session.socket.on('data', (chunk) => {
      if (greeted) session.owner?.write(chunk)
      hear(chunk)
      handOut()
    })
    session.socket
      .on('error', () => undefined)
      .on('close', () => {
        sessions.delete(session)
        if (free.includes(session)) free.splice(free.indexOf(session), 1)
        session.owner?.destroy()
        handOut()
      })
  }

  const sessionOf = (client: net.Socket) => [...sessions].find(({ owner }) => owner === client)
  const waitingOf = (client: net.Socket) => waiting.find((one) => one.client === client)

  /** Hands a message to the session of the client, or keeps it until there is one. */
  function pass(client: net.Socket, bytes: Buffer): void {
    const [session, before] = [sessionOf(client), waitingOf(client)]
    if (session) session.socket.write(bytes)
    else if (before) before.bytes = Buffer.concat([before.bytes, bytes])
    else waiting.push({ client, bytes })
    if (!session) handOut()
  }

  function serve(client: net.Socket): void {
    clients.add(client)
    const hear = messagesOf((type, body) => {
      if (type === '') answerStartup(client, body)
      else if (type === 'X') client.end()
      else pass(client, message(type, body))
    }, true)
    client
      .on('data', hear)
      .on('error', () => undefined)
      .on('close', () => {
        clients.delete(client)
        const before = waitingOf(client)
        if (before) waiting.splice(waiting.indexOf(before), 1)
        // Whatever it left open is rolled back with its session.
        sessionOf(client)?.socket.destroy()
      })
  }

  const server = net.createServer(serve)
  await once(server.listen(path.join(folder, socketName)), 'listening')
  return {
    url: poolerUrl(connection, folder),
    stop: async () => {
      server.close()
      for (const socket of [...clients, ...[...sessions].map(({ socket }) => socket)]) socket.destroy()
      remove()
    },
  }
}

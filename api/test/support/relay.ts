import net from 'node:net'
import path from 'node:path'
import type { Connection } from '#platform/db/connection.ts'
import { temporaryFolder } from './temporary.ts'

export type Relay = { readonly connection: Connection; stop(): void }

/** A way to a database of the tests that hands on what `between` lets through. */
export async function startRelay(
  connection: Connection,
  between: (client: net.Socket, server: net.Socket) => void,
): Promise<Relay> {
  const { folder, remove } = temporaryFolder()
  const socket = '.s.PGSQL.5432'
  const sockets: net.Socket[] = []
  const relay = net.createServer((client) => {
    const server = net.connect(path.join(connection.host ?? '', socket))
    for (const one of [client, server]) sockets.push(one.on('error', () => undefined))
    between(client, server)
  })
  await new Promise<void>((resolve) => relay.listen(path.join(folder, socket), resolve))
  return {
    connection: { ...connection, host: folder },
    stop: () => {
      relay.close()
      for (const one of sockets) one.destroy()
      remove()
    },
  }
}

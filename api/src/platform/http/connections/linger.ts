import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Standstill } from './standstill.ts'

/** How much is read and discarded of a body that was answered before it had arrived, and for how long. */
type Lingering = { readonly bytes: number; readonly ms: number }

// Three times the largest file, and the time that nginx gives (`lingering_time`). A client that sends nothing at all is
// disconnected earlier, as any other is.
const lingering: Lingering = { bytes: 33_554_432, ms: 30_000 }

/** Calls back with the bytes that arrive from now on. They pass the parser by: no request that follows them is served. */
function readBytes(socket: Socket, read: (chunk: Buffer) => void): void {
  const attach = () => {
    socket.removeAllListeners('data')
    socket.on('data', read)
  }
  // The server's own listener starts the reading again, and leaves when one for data is added.
  if (socket.isPaused()) socket.once('resume', attach).resume()
  else attach()
}

/** Sends the rest of the answer and its end, then discards what arrives until the client closes or a limit is reached. */
function linger(socket: Socket, standstill: Standstill, { bytes, ms }: Lingering): void {
  let left = bytes
  readBytes(socket, ({ length }) => {
    left -= length
    if (left < 0) socket.destroy()
  })
  socket.end()
  const cancel = standstill.after(ms, () => socket.destroy())
  socket.once('close', cancel)
}

/**
 * Closes a connection in two steps when its request was answered before its body had arrived, as `lingering_close` of nginx
 * does. The system resets a connection that is closed with unread bytes, and a client that is still sending loses the answer.
 */
export function lingerOnClose(
  app: FastifyInstance,
  standstill: Standstill,
  limits: Lingering = lingering,
): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const { socket } = raw
    // Node calls this after the last answer on a connection.
    socket.destroySoon = () => {
      if (raw.complete) Socket.prototype.destroySoon.call(socket)
      else linger(socket, standstill, limits)
    }
    done()
  })
}

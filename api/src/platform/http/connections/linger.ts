import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Standstill } from './standstill.ts'

/** The limits for reading and discarding the rest of a body that was answered before it had arrived. */
type Lingering = { readonly bytes: number; readonly ms: number }

// Three times the largest file, and nginx's default `lingering_time`. A client that sends nothing at all is
// disconnected earlier, like any other.
const lingering: Lingering = { bytes: 33_554_432, ms: 30_000 }

/**
 * Calls back with the bytes that arrive from now on. They bypass the parser, so no later request on this
 * connection is served.
 */
function readBytes(socket: Socket, read: (chunk: Buffer) => void): void {
  const attach = () => {
    socket.removeAllListeners('data')
    socket.on('data', read)
  }
  // The server's own listener resumes reading, and is removed when a data listener is added.
  if (socket.isPaused()) socket.once('resume', attach).resume()
  else attach()
}

/**
 * Sends the rest of the response and its end, then discards input until the client closes or a limit is
 * reached.
 */
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

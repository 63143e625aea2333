import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

// Long enough for clients that are at work to be told `Connection: close`, and for a load balancer to ask /readyz.
const farewell = 400
// With the time of the farewell, and of the database after it, the whole stop stays under five seconds.
const patience = 3500

/** Makes a server that can be drained. */
export function drainable(app: FastifyInstance): void {
  app.decorate('draining', false)
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (app.draining) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    app.draining = true
    // Node closes the connections that are idle now; those that become idle later would keep the server open.
    const reaper = setInterval(() => app.server.closeIdleConnections(), 50)
    app.server.once('close', () => clearInterval(reaper))
    reaper.unref()
  })
}

/** Stops a server without losing a request: says farewell, stops accepting, finishes what was begun, and then closes. */
export async function drain(app: FastifyInstance): Promise<void> {
  app.draining = true
  if (app.server.listening) await sleep(farewell)
  const impatience = setTimeout(() => app.server.closeAllConnections(), patience)
  try {
    await app.close()
  } finally {
    clearTimeout(impatience)
  }
}

import net from 'node:net'
import { setImmediate as justPolled, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How far a server is from its end. */
export type Stage =
  | 'serving'
  /** Serving still, but no longer ready: whoever spreads the load is to look elsewhere. */
  | 'leaving'
  /** The door is closed; who is inside is served, and asked to go. */
  | 'closing'

// For /readyz to be seen, and then for clients at work to be told `Connection: close` on the connections they have. Until
// the door is closed nobody is told to go, because they would all stand in front of it at the moment when it closes.
const leavingFor = 200
const closingFor = 400
// With the time before it, and that of the database after it, the whole stop stays under five seconds.
const patience = 3500

/** Makes a server that can be drained. */
export function drainable(app: FastifyInstance): void {
  app.decorate('stage', 'serving')
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (app.stage === 'closing') reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    app.stage = 'closing'
    // Node closes the connections that are idle now; those that become idle later would keep the server open.
    const reaper = setInterval(async () => {
      await justPolled()
      app.server.closeIdleConnections()
    }, 50)
    app.server.once('close', () => clearInterval(reaper))
    reaper.unref()
  })
}

/**
 * Closes the door and nothing else. Whoever has knocked and was not yet let in is reset by the system when the door closes,
 * so that is done right after the event loop has let everybody in.
 */
async function stopAccepting(app: FastifyInstance): Promise<void> {
  await justPolled()
  // The method of HTTP servers would at once also close connections on which a request may be on its way.
  net.Server.prototype.close.call(app.server)
}

/** Stops a server without losing a request: is seen to leave, closes the door, finishes what was begun, and then closes. */
export async function drain(app: FastifyInstance): Promise<void> {
  app.stage = 'leaving'
  if (app.server.listening) {
    await sleep(leavingFor)
    await stopAccepting(app)
    app.stage = 'closing'
    await sleep(closingFor)
    // After a standstill the timer is up before what came meanwhile is read, and its connections would count as idle.
    await justPolled()
  }
  const impatience = setTimeout(() => app.server.closeAllConnections(), patience)
  try {
    await app.close()
  } finally {
    clearTimeout(impatience)
  }
}

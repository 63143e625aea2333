import net from 'node:net'
import { setImmediate as justPolled, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** The stage of a server's shutdown. */
export type Stage =
  | 'serving'
  /** Still serving but no longer ready: the load balancer should route requests to other replicas. */
  | 'leaving'
  /** The listening socket is closed; open connections are served and asked to close. */
  | 'closing'

// Leaves time for /readyz to fail, and then for active clients to receive `Connection: close`. Clients are
// only asked to close after the listener is closed, because they would otherwise all reconnect at the moment
// it closes.
const leavingFor = 200
const closingFor = 400
// The whole stop, with the leaving time before and the database shutdown after, stays under five seconds; jobs stop meanwhile.
const patience = 3500

/** Makes a server drainable. */
export function drainable(app: FastifyInstance): void {
  app.decorate('stage', 'serving')
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (app.stage === 'closing') reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    app.stage = 'closing'
    // Node closes only the connections that are idle now; those that become idle later would keep the server
    // open.
    const reaper = setInterval(async () => {
      await justPolled()
      app.server.closeIdleConnections()
    }, 50)
    app.server.once('close', () => clearInterval(reaper))
    reaper.unref()
  })
}

/**
 * Closes the listening socket only. The system resets connections that are not yet accepted at that moment,
 * so it runs right after the event loop has accepted all pending ones.
 */
async function stopAccepting(app: FastifyInstance): Promise<void> {
  await justPolled()
  // The close method of the HTTP server would also close connections that may have a request in flight.
  net.Server.prototype.close.call(app.server)
}

/**
 * Stops a server without losing a request: reports not ready, closes the listener, finishes open requests,
 * then closes.
 */
export async function drain(app: FastifyInstance): Promise<void> {
  app.stage = 'leaving'
  if (app.server.listening) {
    await sleep(leavingFor)
    await stopAccepting(app)
    app.stage = 'closing'
    await sleep(closingFor)
    // After a standstill the timer fires before pending data is read, and those connections would count as
    // idle.
    await justPolled()
  }
  const impatience = setTimeout(() => app.server.closeAllConnections(), patience)
  try {
    await app.close()
  } finally {
    clearTimeout(impatience)
  }
}

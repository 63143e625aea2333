import net from 'node:net'
import { CannotStart, type Env } from '#config/env.ts'

/** The reason why the portal cannot listen on its address, with advice. */
export function cannotListen(env: Env, error: Error & { code?: string }): CannotStart {
  const other = env.port === 65_535 ? 3000 : env.port + 1
  const choose = `Choose another one, for example: PORT=${other} npm start`
  if (error.code === 'EADDRINUSE') {
    return new CannotStart(`Port ${env.port} is taken by another program. ${choose}`)
  }
  if (error.code === 'EACCES') {
    return new CannotStart(`Port ${env.port} may not be used by this user. ${choose}`)
  }
  return new CannotStart(`Cannot listen on ${env.host} port ${env.port}: ${error.message}`)
}

/** Reports a taken port at once, before the database and the browser app take seconds. */
export async function assertPortFree(env: Env): Promise<void> {
  const probe = net.createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error) => reject(cannotListen(env, error)))
    probe.listen(env.port, env.host, resolve)
  })
  await new Promise((resolve) => probe.close(resolve))
}

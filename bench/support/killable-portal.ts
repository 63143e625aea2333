import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../../api/src/platform/db/connection.ts'
import { serverProcess } from './load.ts'
import { startFlags, tokenSecret, urlOf } from './portal.ts'

/** A portal at one address that is killed and started again. Engines of this machine are allowed. */
export async function killablePortal(connection: Connection, port: number) {
  const url = `http://127.0.0.1:${port}`
  const env = {
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: url,
    DATABASE_URL: urlOf(connection),
    SEED: 'none',
    TOKEN_SECRET: tokenSecret,
    ENGINE_ALLOWED_HOSTS: '127.0.0.1',
    RATE_LIMIT_SCALE: '1000',
  }
  const start = () => serverProcess('../api/start.mjs', env, `${url}/readyz`, startFlags())
  let child: ChildProcess = await start()
  let output = ''
  const listen = () =>
    child.stderr?.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-20_000)
    })
  listen()
  return {
    /** Kills it, waits a moment, and starts it again. */
    async kill(pauseMs: number): Promise<void> {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await sleep(pauseMs)
      child = await start()
      listen()
    },
    end: () => void child.kill('SIGKILL'),
    output: () => output,
  }
}

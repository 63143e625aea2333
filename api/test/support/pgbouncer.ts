import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { type Pooler, poolerUrl } from './pooler.ts'
import { temporaryFolder, until } from './temporary.ts'

/** Whether this machine has PgBouncer; nothing installs it. */
export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0

/** Starts a PgBouncer that hands each transaction to one of `size` sessions of a database of the tests. */
export async function startPgBouncer(connection: Connection, size: number): Promise<Pooler> {
  const { folder, remove } = temporaryFolder()
  const { host = '', user = '', database } = connection
  // The socket of the tests' server belongs to the account that runs it, and PgBouncer refuses to run as root.
  const { uid, gid } = fs.statSync(path.join(host, '.s.PGSQL.5432'))
  fs.chownSync(folder, uid, gid)
  const settings = [
    '[databases]',
    `${database} = host=${host} port=5432 user=${user}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    `default_pool_size = ${size}`,
    'max_client_conn = 200',
    'auth_type = any',
    'listen_addr =',
    'listen_port = 5432',
    `unix_socket_dir = ${folder}`,
  ]
  const file = path.join(folder, 'pgbouncer.ini')
  fs.writeFileSync(file, settings.join('\n'))
  const child = spawn('pgbouncer', ['--quiet', file], {
    uid,
    gid,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const ended = once(child, 'close')
  const pooled = { ...connection, host: folder, pooled: true }
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended.\n${said}`)
    return withClient(pooled, async () => true).catch(() => undefined)
  })
  return {
    url: poolerUrl(connection, folder),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      remove()
    },
  }
}

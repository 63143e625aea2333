import fs from 'node:fs'
import path from 'node:path'
import type { Connection } from '#platform/db/connection.ts'
import { findBinaries } from '#platform/db/embedded/binaries.ts'
import { openHome } from '#platform/db/embedded/home.ts'
import { launch } from '#platform/db/embedded/postmaster.ts'
import { freePort, makeAuthority, signServer } from './certificates.ts'
import { makeCluster } from './standby.ts'
import { temporaryFolder } from './temporary.ts'

export type TlsServer = {
  readonly port: number
  /** The certificate of the authority that signed the server's, as a file. */
  readonly authority: string
  /** The certificate of another authority. */
  readonly otherAuthority: string
  /** Gives the server a certificate of the other authority, from the next connection on. */
  replaceAuthority(): Promise<void>
  stop(): Promise<void>
}

/**
 * A PostgreSQL on 127.0.0.1 that takes encrypted connections alone, with a certificate of a private authority, as managed
 * databases have. `prepare` fills it before.
 */
export async function startTlsServer(
  prepare: (connection: Connection) => Promise<unknown>,
): Promise<TlsServer> {
  const { folder, remove } = temporaryFolder()
  await makeCluster(folder, prepare)
  const home = openHome(folder, () => undefined)
  const { cluster, account } = home
  const [authority, otherAuthority] = [makeAuthority(folder, 'ours'), makeAuthority(folder, 'another')]
  const install = (by: string) => {
    signServer(folder, by)
    for (const name of ['server.key', 'server.crt']) {
      const place = path.join(cluster, name)
      fs.copyFileSync(path.join(folder, name), place)
      if (account) fs.chownSync(place, account.uid, account.gid)
    }
  }
  install('ours')
  fs.writeFileSync(path.join(cluster, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 trust\n')
  const port = await freePort()
  const said = Promise.withResolvers<void>()
  const server = await launch({
    binaries: findBinaries(account, home.copies),
    home,
    socket: cluster,
    overrides: { fsync: 'off', listen_addresses: '127.0.0.1', port: `${port}`, ssl: 'on' },
    log: (line) => line.includes('reloading configuration files') && said.resolve(),
    signal: new AbortController().signal,
  })
  return {
    port,
    authority,
    otherAuthority,
    replaceAuthority: async () => {
      install('another')
      process.kill(server.pid, 'SIGHUP')
      await said.promise
    },
    stop: () => server.stop().finally(remove),
  }
}

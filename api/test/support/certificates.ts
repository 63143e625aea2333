import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'

/** Whether certificates can be made here. */
export const hasOpenssl = (): boolean => spawnSync('openssl', ['version']).error === undefined

const openssl = (cwd: string, ...args: string[]) => execFileSync('openssl', args, { cwd, stdio: 'pipe' })

/** Makes an authority; returns its certificate, as a file. */
export function makeAuthority(folder: string, name: string): string {
  const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30']
  openssl(folder, 'req', ...made, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.crt`)
  return path.join(folder, `${name}.crt`)
}

/** Signs a certificate `server.crt` for a name. */
export function signServer(folder: string, by: string, name = 'localhost'): void {
  const asked = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', `/CN=${name}`]
  openssl(folder, 'req', ...asked, '-keyout', 'server.key', '-out', 'server.csr')
  fs.writeFileSync(path.join(folder, 'names'), `subjectAltName=DNS:${name}`)
  const signing = ['-CA', `${by}.crt`, '-CAkey', `${by}.key`, '-CAcreateserial', '-extfile', 'names']
  openssl(folder, 'x509', '-req', '-in', 'server.csr', ...signing, '-days', '30', '-out', 'server.crt')
  fs.chmodSync(path.join(folder, 'server.key'), 0o600)
}

/** A port of the loopback that nothing uses. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

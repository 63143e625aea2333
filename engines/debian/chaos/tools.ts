import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const { LXD_ADDRESS = '127.0.0.1:8443' } = process.env

/** The status with which LXD answers who asks for the servers of a project by a certificate. */
async function statusOf(project: string, identity: { cert: Buffer; key: Buffer }): Promise<number> {
  const asking = request(`https://${LXD_ADDRESS}/1.0/instances?project=${encodeURIComponent(project)}`, {
    ...identity,
    agent: false,
    // LXD's own certificate is made by itself; the address is on this machine.
    rejectUnauthorized: false,
  })
  asking.end()
  const [response] = await once(asking, 'response')
  response.resume()
  return response.statusCode ?? 0
}

/** Gives somebody's tools a certificate for a project, as an operator does; returns how to ask for the status that they get. */
export async function giveCertificate(project: string): Promise<() => Promise<number>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tools-'))
  const [key, cert] = [path.join(folder, 'key'), path.join(folder, 'cert.crt')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  await execute('openssl', ['req', '-x509', ...kind, '-subj', '/CN=tools', '-keyout', key, '-out', cert])
  await execute('lxc', [
    'config',
    'trust',
    'add',
    cert,
    '--name',
    'tools',
    '--restricted',
    '--projects',
    project,
  ])
  const identity = { cert: readFileSync(cert), key: readFileSync(key) }
  rmSync(folder, { recursive: true })
  return () => statusOf(project, identity)
}

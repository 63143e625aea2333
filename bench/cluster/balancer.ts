import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownedFolder, startProgram } from './nodes.ts'

const shipped = path.resolve(import.meta.dirname, '../../deploy/nginx/portico.conf')

export type Balancer = { readonly url: string; readonly process: ChildProcess; readonly folder: string }

/** The configuration that the repository ships, for these ports and without TLS. */
function configuration(port: number, replicas: readonly number[]): string {
  const [upstream = '', , server = ''] = fs.readFileSync(shipped, 'utf8').split(/^(?=server \{)/m)
  const site = server
    .replace(/^ *listen 443.*$/m, `    listen 127.0.0.1:${port};`)
    .replaceAll(/^ *(?:listen \[::\]|ssl_).*\n/gm, '')
  const servers = replicas.map((one) => `    server 127.0.0.1:${one} max_fails=0;`)
  const pools = upstream.replace(/^ *server 127\.0\.0\.1:3000.*$/m, servers.join('\n'))
  if (!pools.includes(servers[0] ?? '') || site.includes('443'))
    throw new Error(`${shipped} has another form than this script expects.`)
  return `pid nginx.pid;\nevents {}\nhttp {\n  access_log off;\n${pools}\n${site}\n}\n`
}

/** Starts nginx in front of the replicas. */
export async function startBalancer(port: number, replicas: readonly number[]): Promise<Balancer> {
  const folder = ownedFolder('balancer', undefined)
  const file = path.join(folder, 'nginx.conf')
  fs.writeFileSync(file, configuration(port, replicas))
  const args = ['-p', folder, '-c', file, '-e', path.join(folder, 'error.log'), '-g', 'daemon off;']
  const child = startProgram({ command: 'nginx', args, folder, account: undefined })
  const url = `http://127.0.0.1:${port}`
  for (let waited = 0; waited < 10_000; waited += 50) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}; see ${folder}.`)
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.status === 200) return { url, process: child, folder }
    await sleep(50)
  }
  throw new Error(`nginx did not answer; see ${folder}.`)
}

/** What nginx complained about, and how often. */
export function complaintsOf({ folder }: Balancer): string[] {
  const lines = fs.readFileSync(path.join(folder, 'error.log'), 'utf8').split('\n')
  const reasons = lines.flatMap((line) => /\*\d+ (.*?), client/.exec(line)?.[1] ?? [])
  return [...Map.groupBy(reasons, (reason) => reason)].map(([reason, of]) => `${of.length} x ${reason}`)
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import https from 'node:https'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort, hasOpenssl, makeAuthority, signServer } from './certificates.ts'
import { temporaryFolder, until } from './temporary.ts'

/** The name that the examples of `deploy/` answer under. */
export const host = 'portal.example.com'

export type ProxyName = 'nginx' | 'caddy'

export type Proxy = {
  readonly plainPort: number
  readonly securePort: number
  /** The certificate of the authority that signed the proxy's. */
  readonly authority: Buffer
  stop(): Promise<void>
}

const deploy = path.resolve(import.meta.dirname, '../../../deploy')
const shipped = {
  nginx: path.join(deploy, 'nginx/portico.conf'),
  caddy: path.join(deploy, 'caddy/Caddyfile'),
}

/** Whether the program is there. */
export const isInstalled = (name: ProxyName): boolean =>
  process.platform === 'linux' &&
  hasOpenssl() &&
  spawnSync(name, [name === 'nginx' ? '-v' : 'version'], { stdio: 'ignore' }).error === undefined

/** Replaces what occurs, so that a changed example is not tried as something else. */
function replaced(whole: string, changes: readonly (readonly [RegExp, string])[]): string {
  return changes.reduce((before, [pattern, by]) => {
    if (before.search(pattern) === -1) throw new Error(`The example has lost ${pattern}.`)
    return before.replace(pattern, by)
  }, whole)
}

type Place = {
  readonly folder: string
  readonly plain: number
  readonly secure: number
  readonly replica: number
  /** The name of all replicas, which Caddy finds by it as with compose. */
  readonly name?: string | undefined
}

/** The shipped file with other ports, a certificate of the test's and its portal; a server of nginx around it. */
function nginxFile({ folder, plain, secure, replica }: Place): string {
  makeAuthority(folder, 'ours')
  signServer(folder, 'ours', host)
  const site = replaced(fs.readFileSync(shipped.nginx, 'utf8'), [
    [/listen 80;/, `listen 127.0.0.1:${plain};`],
    [/listen 443 ssl http2;/, `listen 127.0.0.1:${secure} ssl http2;`],
    [/^ *listen \[::\]:.*\n/gm, ''],
    [/\/etc\/nginx\/tls\/portal.pem/, path.join(folder, 'server.crt')],
    [/\/etc\/nginx\/tls\/portal.key/, path.join(folder, 'server.key')],
    [/127\.0\.0\.1:3000/, `127.0.0.1:${replica}`],
  ])
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((one) => `${one}_temp_path ${path.join(folder, one)};`)
    .join('\n')
  return `pid ${folder}/nginx.pid;\ndaemon off;\nevents {}\nhttp {\naccess_log off;\n${places}\n${site}}\n`
}

/** The shipped file with certificates of Caddy's own authority instead of a public one. */
function caddyFile({ plain, secure, replica, name }: Place): string {
  const options = `admin off\nlocal_certs\nskip_install_trust\ndefault_bind 127.0.0.1\nhttp_port ${plain}\nhttps_port ${secure}`
  const file = fs.readFileSync(shipped.caddy, 'utf8')
  const site = name === undefined ? file : replaced(file, [[/portal 3000/, `${name} ${replica}`]])
  return `{\n${options}\n}\n${site}`
}

function start(name: ProxyName, place: Place): ChildProcess {
  const { folder, replica, name: replicas } = place
  const file = path.join(folder, `${name}.conf`)
  fs.writeFileSync(file, name === 'nginx' ? nginxFile(place) : caddyFile(place))
  const args =
    name === 'nginx'
      ? ['-p', folder, '-c', file, '-e', path.join(folder, 'error.log')]
      : ['run', '--adapter', 'caddyfile', '--config', file]
  const own = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder }
  const upstreams =
    replicas === undefined ? { PORTICO_REPLICAS: `127.0.0.1:${replica}` } : { PORTICO_UPSTREAMS: 'compose' }
  const env = { ...process.env, ...own, PORTICO_HOST: host, ...upstreams }
  const log = fs.openSync(path.join(folder, 'log'), 'a')
  return spawn(name, args, { cwd: folder, env, stdio: ['ignore', log, log] })
}

const authorityOf = { nginx: 'ours.crt', caddy: 'caddy/pki/authorities/local/root.crt' }

/** Starts a proxy with its example of `deploy/`, in front of the portal on a port. */
export async function startProxy(
  name: ProxyName,
  replica: number,
  more: Pick<Place, 'name'> = {},
): Promise<Proxy> {
  const { folder, remove } = temporaryFolder()
  const place = { folder, replica, ...more, plain: await freePort(), secure: await freePort() }
  const child = start(name, place)
  const stop = async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    remove()
  }
  const authority = path.join(folder, authorityOf[name])
  const isUp = async (): Promise<Proxy | undefined> => {
    if (child.exitCode !== null)
      throw new Error(`${name} ended: ${fs.readFileSync(path.join(folder, 'log'), 'utf8')}`)
    if (!fs.existsSync(authority)) return undefined
    const found = {
      plainPort: place.plain,
      securePort: place.secure,
      authority: fs.readFileSync(authority),
      stop,
    }
    const answer = await ask(found, '/readyz').catch(() => undefined)
    return answer?.status === 200 ? found : undefined
  }
  return (await until(isUp)).value
}

export type ProxyAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

type Request = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** The address of this machine to ask from. */
  readonly from?: string
}

/** Asks the portal through the proxy, by its name and with its certificate verified. */
export async function ask(proxy: Proxy, url: string, request: Request = {}): Promise<ProxyAnswer> {
  const { method = 'GET', headers = {}, body, from = '127.0.0.1' } = request
  const sent = https.request({
    host: '127.0.0.1',
    port: proxy.securePort,
    servername: host,
    ca: proxy.authority,
    localAddress: from,
    agent: false,
    path: url,
    method,
    headers: {
      host,
      ...headers,
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    },
  })
  const answered = once(sent, 'response')
  // A proxy that refuses a body answers before it has been sent, and closes the connection.
  sent.on('error', () => undefined)
  sent.end(body)
  const [answer] = await answered
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
}

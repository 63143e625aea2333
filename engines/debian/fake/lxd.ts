import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

type Fields = Record<string, unknown>
type Config = Record<string, string>
type Server_ = {
  name: string
  project: string
  status: string
  config: Config
  devices: Fields
  made: string
  used: string
}
type Bridge = { name: string; managed: boolean; status: string; config: Config | null }
type Asked = {
  readonly method: string
  readonly path: string[]
  readonly project: string
  /** The version that the object is to have still. */
  readonly version: string | undefined
  readonly body: Fields
  readonly isOutdated?: boolean
}

/** Faults that LXD was seen to have; each is a switch. */
export type Faults = {
  /** Bridges that will be left without a state and an address, as when LXD is killed while it makes one. */
  emptyBridges: number
  /** Servers that will be left half-made, and cannot be deleted before their empty directory is gone. */
  halfServers: number
  /** Servers that will not start the first time. */
  deadServers: number
  /** The call that fails, counting those that change something; done or not done. */
  failAt: number
  isDone: boolean
}

class Failure extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const missing = () => new Failure(404, 'not found')
const epoch = '1970-01-01T00:00:00Z'

/** As much of LXD as the engine asks for: answers at once, and runs nothing. */
export class FakeLxd {
  readonly projects = new Map<string, { name: string; description: string; config: Config }>()
  readonly servers = new Map<string, Server_>()
  readonly bridges = new Map<string, Bridge>()
  /** The directories that a broken-off creation left. */
  readonly volumes = new Set<string>()
  /** Those of tools, and what the tools made: `project/name`. */
  readonly certificates = new Map<string, { name: string; restricted: boolean; projects: string[] }>()
  readonly profiles = new Set<string>()
  readonly volumesOf = new Set<string>()
  readonly faults: Faults = { emptyBridges: 0, halfServers: 0, deadServers: 0, failAt: 0, isDone: false }
  /** The calls that changed something, and all of them. */
  writes = 0
  calls = 0
  /** The most servers that were made and not yet started at one time. */
  mostAtOnce = 0
  #server: Server | undefined

  async listen(socket: string): Promise<void> {
    this.#server = createServer(async (request, response) => {
      const asked = await read(request)
      this.calls += 1
      const isOutdated = this.#isOutdated(asked)
      // LXD looks at the version and writes a moment later, whatever was changed meanwhile.
      if (asked.version !== undefined) await sleep(1)
      const reply = this.#reply({ ...asked, isOutdated })
      const versioned = this.#versioned(asked)
      if (versioned) response.setHeader('etag', versionOf(versioned))
      response.end(typeof reply === 'string' ? reply : JSON.stringify(reply))
    }).listen(socket)
    await once(this.#server, 'listening')
  }

  close(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  /** What is changed by the version of it that was read. */
  #versioned({ path: [of, name = ''] }: Asked): object | undefined {
    if (of === 'projects') return this.projects.get(name)
    return of === 'certificates' ? this.certificates.get(name) : undefined
  }

  #isOutdated(asked: Asked): boolean {
    return asked.version !== undefined && asked.version !== versionOf(this.#versioned(asked))
  }

  #reply(asked: Asked): Fields | string {
    try {
      const isWrite = asked.method !== 'GET'
      if (isWrite) this.writes += 1
      const { failAt, isDone } = this.faults
      // From that call on everything fails, as for an engine that was killed there.
      const fails = isWrite && failAt > 0 && this.writes >= failAt
      if (fails && !(isDone && this.writes === failAt)) throw new Failure(500, 'killed before')
      const metadata = this.#answer(asked)
      if (fails) throw new Failure(500, 'killed after')
      return asked.path[0] === 'metrics' ? this.#metrics() : { type: 'sync', metadata }
    } catch (error) {
      const status = error instanceof Failure ? error.status : 500
      return { type: 'error', error_code: status, error: String(error) }
    }
  }

  /** As LXD writes them; each server has used a second. */
  #metrics(): string {
    const running = [...this.servers.values()].filter(({ status }) => status === 'Running')
    return running
      .map(
        ({ project, name }) =>
          `lxd_cpu_seconds_total{cpu="0",mode="user",name="${name}",project="${project}",type="container"} 1\n`,
      )
      .join('')
  }

  #answer(asked: Asked): unknown {
    if (asked.isOutdated) throw new Failure(412, 'Precondition failed')
    switch (asked.path[0]) {
      case 'projects':
        return this.#project(asked)
      case 'networks':
        return this.#network(asked)
      case 'instances':
        return this.#instance(asked)
      case 'certificates':
        return this.#certificate(asked)
      case 'storage-pools':
        if (asked.path.length === 1) return ['/1.0/storage-pools/portico']
        return listOrRemove(this.volumesOf, asked.project, asked.path[4], asked.method)
      case 'profiles':
        return listOrRemove(this.profiles, asked.project, asked.path[1], asked.method)
      default:
        return {}
    }
  }

  #project({ method, path: [, name, part], body }: Asked): unknown {
    if (method === 'POST') {
      if (this.projects.has(String(body.name))) throw new Failure(409, 'already exists')
      this.projects.set(String(body.name), {
        name: String(body.name),
        description: '',
        config: { ...Object(body.config) },
      })
    }
    if (name === undefined) return [...this.projects.values()]
    const project = this.projects.get(name)
    if (!project) throw missing()
    const inside = [...this.servers.values()].filter((one) => one.project === name)
    if (part === 'state')
      return { resources: { cpu: { Usage: inside.length }, memory: { Usage: 0 }, disk: { Usage: 0 } } }
    if (method === 'PATCH') project.config = { ...Object(body.config) }
    if (method === 'DELETE') {
      const made = [...this.volumesOf, ...this.profiles].filter((one) => one.startsWith(`${name}/`))
      if (inside.length + made.length > 0) throw new Failure(400, 'not empty')
      this.projects.delete(name)
    }
    return project
  }

  #certificate({ method, path: [, fingerprint], body }: Asked): unknown {
    if (fingerprint === undefined)
      return [...this.certificates].map(([key, one]) => ({
        fingerprint: key,
        type: 'client',
        certificate: '',
        ...one,
      }))
    const certificate = this.certificates.get(fingerprint)
    if (!certificate) throw missing()
    if (method === 'PATCH') Object.assign(certificate, body)
    if (method === 'DELETE') this.certificates.delete(fingerprint)
    return certificate
  }

  #network({ method, path: [, name], body }: Asked): unknown {
    if (method === 'POST') {
      const made = String(body.name)
      if (this.bridges.has(made)) throw new Failure(409, 'already exists')
      const isEmpty = this.faults.emptyBridges-- > 0
      const config = isEmpty ? null : { ...Object(body.config) }
      this.bridges.set(made, { name: made, managed: true, status: isEmpty ? 'Pending' : 'Created', config })
    }
    // LXD reads all that use a network for each one that it describes, so a list of them is not asked for.
    if (name === undefined) return [...this.bridges.keys()].map((one) => `/1.0/networks/${one}`)
    const bridge = this.bridges.get(name)
    if (!bridge) throw missing()
    if (method === 'DELETE') this.bridges.delete(name)
    return bridge
  }

  #instance({ method, path: [, name, part], project, body }: Asked): unknown {
    if (method === 'POST') this.#makeServer(project, body)
    if (name === undefined)
      return [...this.servers.values()].filter((one) => project === '' || one.project === project).map(shown)
    const key = `${project}/${name}`
    const server = this.servers.get(key)
    if (!server) throw missing()
    if (part === 'state' && method === 'PUT') this.#turn(server, body)
    if (part === 'state') return { status: server.status, pid: 1, cpu: { usage: 0 }, memory: { usage: 0 } }
    if (method === 'PATCH') Object.assign(server.config, body.config)
    if (method === 'DELETE') {
      if (this.volumes.has(key)) throw new Failure(500, 'Failed to find subvolume')
      this.servers.delete(key)
    }
    return shown(server)
  }

  #makeServer(project: string, body: Fields): void {
    const name = String(body.name)
    const key = `${project}/${name}`
    if (this.servers.has(key)) throw new Failure(409, 'already exists')
    const config = { ...Object(body.config), 'volatile.uuid': randomUUID() }
    const made = new Date().toISOString()
    this.servers.set(key, {
      name,
      project,
      status: 'Stopped',
      config,
      devices: Object(body.devices),
      made,
      used: epoch,
    })
    const making = [...this.servers.values()].filter((one) => one.used === epoch).length
    this.mostAtOnce = Math.max(this.mostAtOnce, making)
    if (this.faults.halfServers-- > 0) {
      this.volumes.add(key)
      throw new Failure(500, 'killed while it was made')
    }
  }

  #turn(server: Server_, { action }: Fields): void {
    const to = action === 'start' ? 'Running' : 'Stopped'
    if (server.status === to) throw new Failure(400, `already ${to.toLowerCase()}`)
    if (action === 'start' && this.faults.deadServers-- > 0) return
    server.status = to
    if (to === 'Running') server.used = new Date().toISOString()
  }
}

/** The names of a project among `project/name`, or one less. A snapshot has the name `volume/snapshot` and goes with its volume. */
function listOrRemove(all: Set<string>, project: string, name: string | undefined, method: string): unknown {
  if (method === 'DELETE' && name?.includes('/')) throw new Failure(400, 'Invalid volume name')
  if (method === 'DELETE')
    for (const one of all) if (`${one}/`.startsWith(`${project}/${name}/`)) all.delete(one)
  return [...all]
    .filter((one) => one.startsWith(`${project}/`))
    .map((one) => ({ name: one.slice(project.length + 1) }))
}

/** As LXD has them: quoted, and another one for each change. */
const versionOf = (object: object | undefined) =>
  `"${createHash('sha256')
    .update(JSON.stringify(object ?? null))
    .digest('hex')}"`

const shown = ({ name, project, status, config, devices, made, used }: Server_) => ({
  ...{ name, project, status, config, expanded_config: config, expanded_devices: devices },
  ...{ created_at: made, last_used_at: used },
})

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const url = new URL(request.url ?? '', 'http://lxd')
  const text = Buffer.concat(chunks).toString()
  const path = url.pathname.split('/').slice(2).map(decodeURIComponent)
  const project = url.searchParams.get('project') ?? ''
  const version = request.headers['if-match']
  return { method: request.method ?? '', path, project, version, body: text === '' ? {} : JSON.parse(text) }
}

import { type ChildProcess, execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { withClient } from '../../api/src/platform/db/client.ts'
import { killProgram, ordinaryAccount, ownedFolder, signalAllIn, startProgram } from './nodes.ts'

// Two nodes with PostgreSQL, Patroni and etcd, and a third with etcd alone. Each has an address of its own on the
// loopback interface, so that they use the ports of docs/operations/fail-over.md, whose configuration this is.

const page = path.resolve(import.meta.dirname, '../../docs/operations/fail-over.md')
const prefix = '127.20.0.'
const password = 'only-for-the-bench'
const postgresFolder = '/usr/lib/postgresql'

/** What a failover begins with: PostgreSQL killed under Patroni, a whole node, or a node that stands still for a while. */
export type Loss = 'postgres' | 'node' | 'hang'

/** Whether this Patroni lets a primary that stood still take the lead back from its successor, as those before 3.1.0 do. */
export function forgetsSuccessors(): boolean {
  const said = execFileSync('patroni', ['--version'], { encoding: 'utf8' })
  const [major = 0, minor = 0, patch = 0] = (/\d+\.\d+\.\d+/.exec(said)?.[0] ?? '').split('.').map(Number)
  return major * 10_000 + minor * 100 + patch < 30_100
}

const member = z.object({ name: z.string(), role: z.string() })

const leading = z.object({
  replication: z.optional(
    z.array(z.object({ application_name: z.string(), state: z.string(), sync_state: z.string() })),
  ),
})

/** Whether a node of this name is a synchronous standby that streams, by what Patroni of the leader says of its own server. */
export function isServed(said: unknown, name: string): boolean {
  const { replication = [] } = leading.safeParse(said).data ?? {}
  return replication.some(
    (one) => one.application_name === name && one.state === 'streaming' && one.sync_state === 'sync',
  )
}

function newestBinaries(): string {
  const versions = fs.existsSync(postgresFolder) ? fs.readdirSync(postgresFolder).map(Number) : []
  const newest = Math.max(...versions.filter((version) => version >= 15))
  if (!Number.isFinite(newest)) throw new Error('Install postgresql, patroni and etcd-server first.')
  return path.join(postgresFolder, String(newest), 'bin')
}

/** A node: its number, its folder, and its programs. */
export class Node {
  readonly n: number
  readonly address: string
  readonly #folder: string
  readonly #account: ReturnType<typeof ordinaryAccount>
  #etcd: ChildProcess | undefined
  #patroni: ChildProcess | undefined

  constructor(folder: string, n: number, account: ReturnType<typeof ordinaryAccount>) {
    this.n = n
    this.address = `${prefix}${n}`
    this.#folder = path.join(folder, `db${n}`)
    this.#account = account
    fs.mkdirSync(this.#folder)
    if (account) fs.chownSync(this.#folder, account.uid, account.gid)
  }

  get data(): string {
    return path.join(this.#folder, 'data')
  }

  /** Starts etcd, and Patroni on the two nodes with a database. */
  start(): void {
    const peers = [1, 2, 3].map((n) => `db${n}=http://${prefix}${n}:2380`).join()
    const [peer, client] = [`http://${this.address}:2380`, `http://${this.address}:2379`]
    const options = {
      name: `db${this.n}`,
      'data-dir': path.join(this.#folder, 'etcd'),
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'initial-cluster': peers,
      'log-level': 'error',
    }
    this.#etcd ??= this.#start(
      'etcd',
      Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    )
    if (this.n === 3) return
    const file = path.join(this.#folder, 'patroni.yml')
    fs.writeFileSync(file, this.#configuration())
    this.#patroni = this.#start('patroni', [file])
  }

  #start(command: string, args: readonly string[]): ChildProcess {
    return startProgram({ command, args, folder: this.#folder, account: this.#account })
  }

  /** The configuration of the page, with the addresses and folders of this node. */
  #configuration(): string {
    const written = /```yaml\n(.*?)```/s.exec(fs.readFileSync(page, 'utf8'))?.[1] ?? ''
    const own = written
      .replace('name: db1', `name: db${this.n}`)
      .replaceAll(/"10\.0\.0\.1:(8008|5432)"/g, `"${this.address}:$1"`)
      .replaceAll('10.0.0.0/24', '127.0.0.0/8')
      .replaceAll('10.0.0.', prefix)
      .replaceAll('"…"', `"${password}"`)
      .replace(/bin_dir: .*/, `bin_dir: ${newestBinaries()}`)
      // Two servers on one machine would share the folder of sockets.
      .replace(
        /data_dir: .*/,
        `data_dir: ${this.data}\n  parameters: { unix_socket_directories: "${this.#folder}" }`,
      )
    if (!own.includes('synchronous_mode: true')) throw new Error(`${page} has no configuration of Patroni.`)
    return own
  }

  /** What Patroni of this node answers under a path; undefined while it does not answer, or answers no. */
  async #ask(what: string): Promise<unknown> {
    try {
      const signal = AbortSignal.timeout(2000)
      const answer = await fetch(`http://${this.address}:8008/${what}`, { signal })
      return answer.status === 200 ? await answer.json() : undefined
    } catch {
      // A node may also be stopped between its headers and its body.
      return undefined
    }
  }

  /** The member that leads as this node sees it, perhaps a while ago; undefined for none. */
  async seesLeader(): Promise<string | undefined> {
    const found = z.object({ members: z.array(member) }).safeParse(await this.#ask('cluster'))
    return found.data?.members.find(({ role }) => role === 'leader')?.name
  }

  /**
   * Whether this node leads, and the other one is its synchronous standby. The servers themselves are asked: what etcd tells a node
   * that has just gone on is from before it stood still.
   */
  async leads(other: Node): Promise<boolean> {
    const [own, standby] = await Promise.all([this.#ask('primary'), other.#ask('synchronous')])
    return standby !== undefined && isServed(own, `db${other.n}`)
  }

  /** Loses the database server, or the whole node. */
  async lose(loss: Loss): Promise<void> {
    if (loss === 'hang') {
      signalAllIn(this.data, 'SIGSTOP')
      this.#patroni?.kill('SIGSTOP')
      this.#etcd?.kill('SIGSTOP')
    } else {
      // The supervisor goes first: it must not see the death of the server.
      if (loss === 'node') await Promise.all([killProgram(this.#patroni), killProgram(this.#etcd)])
      signalAllIn(this.data, 'SIGKILL')
    }
  }

  /** Lets a node that stood still go on, which knows nothing of what happened meanwhile. */
  wake(): void {
    this.#etcd?.kill('SIGCONT')
    this.#patroni?.kill('SIGCONT')
    signalAllIn(this.data, 'SIGCONT')
  }

  /** Asks Patroni to hand the lead of this node to another one, as `patronictl switchover` does. */
  async handOver(candidate: Node): Promise<void> {
    const answer = await fetch(`http://${this.address}:8008/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: `db${this.n}`, candidate: `db${candidate.n}` }),
    })
    if (answer.status !== 200)
      throw new Error(`The switchover was refused with ${answer.status}: ${await answer.text()}`)
  }

  /** Ends what is left of a lost node. */
  async end(): Promise<void> {
    await Promise.all([killProgram(this.#patroni), killProgram(this.#etcd)])
    signalAllIn(this.data, 'SIGKILL')
    this.#etcd = undefined
    this.#patroni = undefined
  }
}

/** A synchronous pair under Patroni, with a role and a database for the portal. */
export class Cluster {
  readonly #account = ordinaryAccount('postgres')
  readonly #folder = ownedFolder('failover', this.#account)
  readonly #nodes = [1, 2, 3].map((n) => new Node(this.#folder, n, this.#account))
  #isKept = false

  /** The address of the database, with both servers, as the page writes it. */
  readonly url =
    `postgres://portico:${password}@${prefix}1:5432,${prefix}2:5432/portico?target_session_attrs=read-write`

  async start(): Promise<void> {
    for (const node of this.#nodes) node.start()
    const leader = await this.whole()
    const connection = {
      host: leader.address,
      port: 5432,
      user: 'postgres',
      password,
      database: 'postgres',
    }
    await withClient(connection, async (client) => {
      await client.query(`create role portico login password '${password}'`)
      await client.query('create database portico owner portico')
    })
  }

  /** Waits for a leader with a synchronous standby that streams, as an operator does before a switchover, and returns the leader. */
  async whole(patienceMs = 180_000): Promise<Node> {
    const deadline = performance.now() + patienceMs
    const pair = this.#nodes.slice(0, 2)
    for (;;) {
      for (const [at, node] of pair.entries()) {
        const other = pair[1 - at]
        if (other && (await node.leads(other))) return node
      }
      if (performance.now() > deadline) throw this.#failure(`There is no pair within ${patienceMs / 1000} s`)
      await sleep(250)
    }
  }

  /** Makes the standby of this node the primary, as an operator does before maintenance, and returns it. */
  async switchOver(primary: Node): Promise<Node> {
    const standby = this.#nodes.find(({ n }) => n !== primary.n && n !== 3)
    if (standby === undefined) throw new Error('There is no standby.')
    await primary.handOver(standby)
    return this.successorOf(primary)
  }

  /** Waits until another node than this leads, and returns it. */
  async successorOf(lost: Node): Promise<Node> {
    for (let waited = 0; waited < 120_000; waited += 100) {
      for (const node of this.#nodes.filter(({ n }) => n !== lost.n && n !== 3)) {
        if ((await node.seesLeader()) === `db${node.n}`) return node
      }
      await sleep(100)
    }
    throw this.#failure('No standby took over within two minutes')
  }

  /** A failure whose reason is in the logs, which are kept. */
  #failure(what: string): Error {
    return new Error(`${what}; see ${this.keep()}.`)
  }

  /** Keeps the logs after the end, and returns where they are. */
  keep(): string {
    this.#isKept = true
    return `${this.#folder}/*/patroni.log`
  }

  async stop(): Promise<void> {
    for (const node of this.#nodes) await node.end()
    if (!this.#isKept) fs.rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

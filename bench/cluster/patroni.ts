import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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

type Member = { readonly name: string; readonly role: string; readonly state: string }

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

  /** The members of the cluster as this node sees them; none while it does not answer. */
  async members(): Promise<readonly Member[]> {
    const answer = await fetch(`http://${this.address}:8008/cluster`, {
      signal: AbortSignal.timeout(2000),
    }).catch(() => undefined)
    if (answer?.status !== 200) return []
    const { members }: { members: Member[] } = await answer.json()
    return members
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
  #gaveUp = false

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

  /** Waits for a leader with a synchronous standby, and returns the leader. */
  async whole(patienceMs = 180_000): Promise<Node> {
    const deadline = performance.now() + patienceMs
    for (;;) {
      for (const node of this.#nodes.slice(0, 2)) {
        const members = await node.members()
        const leader = members.find(({ role, state }) => role === 'leader' && state === 'running')
        const standby = members.find(({ role, state }) => role === 'sync_standby' && state === 'running')
        const found = this.#nodes.find(({ n }) => `db${n}` === leader?.name)
        if (found && standby) return found
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
        const members = await node.members()
        if (members.some(({ name, role }) => name === `db${node.n}` && role === 'leader')) return node
      }
      await sleep(100)
    }
    throw this.#failure('No standby took over within two minutes')
  }

  /** A failure whose reason is in the logs, which are kept. */
  #failure(what: string): Error {
    this.#gaveUp = true
    return new Error(`${what}; see ${this.#folder}/*/patroni.log.`)
  }

  async stop(): Promise<void> {
    for (const node of this.#nodes) await node.end()
    if (!this.#gaveUp) fs.rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

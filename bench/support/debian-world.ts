import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Pool } from '../../api/src/platform/db/pool.ts'
import { installJobs } from '../../api/src/platform/jobs/install.ts'
import { makeVault } from '../../api/src/platform/vault.ts'
import { registerEngine } from '../../api/src/workspaces/engines/registry.ts'
import { addPanel, removePanel, resumePanel, suspendPanel } from '../../api/src/workspaces/panels.ts'
import { seeded } from '../../api/test/support/usage-workload.ts'
import { settings } from '../../engines/debian/chaos/portal.ts'
import { Processes } from '../../engines/debian/chaos/processes.ts'
import { type BenchDatabase, benchDatabase } from './database.ts'
import { killablePortal } from './killable-portal.ts'
import { tokenSecret } from './portal.ts'

type Wanted = 'active' | 'suspended' | 'deleted'
type Kind = 'portal' | 'main' | 'lxd' | 'dns'
type Server = { readonly name: string; readonly project: string; readonly status: string }
type Project = { readonly name: string; readonly config: Readonly<Record<string, string>> }

const execute = promisify(execFile)
const most = 6

/** What LXD says at a path. */
async function lxd<T>(path: string): Promise<T> {
  const { stdout } = await execute('lxc', ['query', path], { timeout: 60_000, maxBuffer: 2 ** 26 })
  // The caller names the type that LXD's API documents for the path.
  return JSON.parse(stdout) as T
}

/** A portal, the engine and its daemons, with a customer who never rests. */
export class DebianWorld {
  readonly settings = settings
  readonly killed: Record<Kind, number> = { portal: 0, main: 0, lxd: 0, dns: 0 }
  readonly #wanted = new Map<number, Wanted>()
  readonly #random: () => number
  readonly #database: BenchDatabase
  readonly #pool: Pool
  readonly #processes: Processes
  readonly #portal: Awaited<ReturnType<typeof killablePortal>>
  readonly #owner: { client_id: number; project_id: number }

  private constructor(
    seed: number,
    database: BenchDatabase,
    pool: Pool,
    processes: Processes,
    portal: Awaited<ReturnType<typeof killablePortal>>,
    owner: { client_id: number; project_id: number },
  ) {
    this.#random = seeded(seed)
    this.#database = database
    this.#pool = pool
    this.#processes = processes
    this.#portal = portal
    this.#owner = owner
  }

  static async open(seed: number): Promise<DebianWorld> {
    const database = await benchDatabase()
    const pool = new Pool(database.connection, 4, () => undefined)
    await installJobs(database.connection)
    const db = pool.kysely
    const baseUrl = `http://127.0.0.1:${settings.port}`
    const engine = { code: settings.code, name: 'Debian', baseUrl, isDefault: true }
    const secret = await registerEngine({ db, vault: makeVault(tokenSecret) }, engine)
    const { id: client_id } = await db
      .insertInto('clients')
      .values({
        ...{ email: 'ana@example.com', first_name: 'Ana', last_name: 'Ionescu' },
        ...{ language_id: 1, currency_id: 1, status: 1 },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: project_id } = await db
      .insertInto('projects')
      .values({ client_id, name: 'Chaos' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const processes = new Processes({ ENGINE_SECRETS: secret })
    await processes.startMain()
    const port = Number(new URL(settings.portal ?? '').port)
    const portal = await killablePortal(database.connection, port)
    return new DebianWorld(seed, database, pool, processes, portal, { client_id, project_id })
  }

  get kills(): number {
    return Object.values(this.killed).reduce((sum, many) => sum + many, 0)
  }

  get panels(): number {
    return this.#wanted.size
  }

  get output(): string {
    return `${this.#processes.output}\n${this.#portal.output()}`
  }

  #pick<T>(of: readonly T[]): T | undefined {
    return of[Math.floor(this.#random() * of.length)]
  }

  /** A wish of the customer, written as the portal writes it: with its job, in one transaction. */
  async #wish(): Promise<void> {
    const alive = [...this.#wanted].filter(([, wanted]) => wanted !== 'deleted')
    const one = this.#pick(alive)
    const db = this.#pool.kysely
    if (!one || (alive.length < most && this.#random() < 0.5)) {
      const plan_code = this.#random() < 0.25 ? 'large' : 'small'
      const name = `Chaos ${this.#wanted.size}`
      const asked = { ...this.#owner, name, plan_code, domain: `c${this.#wanted.size}.example.com` }
      const { id } = await db.transaction().execute((tx) => addPanel(tx, asked))
      this.#wanted.set(id, 'active')
      return
    }
    const [id, wanted] = one
    const other = wanted === 'active' ? 'suspended' : 'active'
    await this.#turn(id, this.#random() < 0.4 ? 'deleted' : other)
  }

  async #turn(id: number, next: Wanted): Promise<void> {
    this.#wanted.set(id, next)
    await this.#pool.kysely.transaction().execute(async (tx) => {
      const now = new Date()
      if (next === 'active') return resumePanel({ tx, now }, id)
      if (next === 'suspended') return suspendPanel({ tx, now }, id, 'unpaid')
      const panel = await tx.selectFrom('panels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      return removePanel({ tx }, panel)
    })
  }

  async #kill(kind: Kind): Promise<void> {
    const pauseMs = this.#random() * 300
    if (kind === 'portal') await this.#portal.kill(pauseMs)
    else await this.#processes.kill(kind, pauseMs)
    this.killed[kind] += 1
  }

  /** Wishes and kills until so many more were killed; all runs again at its end. */
  async round(kills: number): Promise<void> {
    const end = this.kills + kills
    const isGoing = () => this.kills < end
    const killing = async (kinds: readonly Kind[], restMs: number) => {
      while (isGoing()) {
        await sleep((0.4 + this.#random()) * restMs)
        const kind = this.#pick(kinds)
        if (kind && isGoing()) await this.#kill(kind)
      }
    }
    const wishing = async () => {
      while (isGoing()) {
        await this.#wish()
        await sleep(200 + this.#random() * 1000)
      }
    }
    // LXD and PowerDNS are started by one script, so one at a time.
    await Promise.all([
      wishing(),
      killing(['main'], 2500),
      killing(['lxd', 'dns', 'dns'], 2500),
      killing(['portal'], 7000),
    ])
  }

  async deleteAll(): Promise<void> {
    for (const [id, wanted] of this.#wanted) if (wanted !== 'deleted') await this.#turn(id, 'deleted')
  }

  /** How the portal and LXD differ from what is wanted. */
  async differences(): Promise<string[]> {
    const [projects, servers, rows] = await Promise.all([
      lxd<Project[]>('/1.0/projects?recursion=1'),
      lxd<Server[]>('/1.0/instances?recursion=1&all-projects=true'),
      this.#pool.kysely
        .selectFrom('panels')
        .select(['id', 'status', 'failed_step', 'deleted_at', 'plan_code'])
        .execute(),
    ])
    const byPanel = Map.groupBy(projects, ({ config }) => Number(config['user.portico.panel_id'] ?? 0))
    const known = rows.flatMap(({ id, status, failed_step, deleted_at, plan_code }) => {
      const wanted = this.#wanted.get(id)
      const shown = deleted_at === null ? status : 'deleted'
      const made = byPanel.get(id) ?? []
      const inside = servers.filter(({ project }) => made.some(({ name }) => name === project))
      const running = inside.filter(({ status: one }) => one === 'Running').length
      const many = plan_code === 'large' ? 3 : 1
      const counts = { deleted: [0, 0, 0], active: [1, many, many], suspended: [1, many, 0] }[
        wanted ?? 'deleted'
      ]
      const seen = [made.length, inside.length, running]
      const isRight = shown === wanted && seen.join() === counts.join()
      return isRight
        ? []
        : [`panel ${id} is ${shown} (${failed_step}) with ${seen}, not ${wanted} with ${counts}`]
    })
    const strange = [...byPanel.keys()].filter((id) => id !== 0 && !this.#wanted.has(id))
    return [...known, ...strange.map((id) => `the panel ${id} is nobody's`)]
  }

  /** What use the portal has counted, and what of it cannot be. */
  async usage(): Promise<{ events: number; faults: string[] }> {
    const db = this.#pool.kysely
    const rows = await db
      .selectFrom('usage_events')
      .innerJoin('meters', 'meters.id', 'usage_events.meter_id')
      .innerJoin('panels', 'panels.id', 'usage_events.panel_id')
      .select(['panel_id', 'meters.code', 'resource_ref', 'period_start', 'quantity'])
      .select(['panels.created_at', 'panels.deleted_at'])
      .where('resource_ref', '=', 'panel')
      .execute()
    const twice = Map.groupBy(rows, (row) => `${row.panel_id} ${row.code} ${row.period_start}`)
    const hours = Map.groupBy(
      rows.filter(({ code }) => code === 'panel_hours'),
      (row) => row.panel_id,
    )
    const faults = [...twice].flatMap(([key, same]) => (same.length > 1 ? [`counted twice: ${key}`] : []))
    for (const [panel, [first, ...more]] of hours) {
      if (!first) continue
      const sum = [first, ...more].reduce((all, { quantity }) => all + Number(quantity), 0)
      const end = first.deleted_at === null ? Date.now() : Date.parse(first.deleted_at)
      const life = (end - Date.parse(first.created_at)) / 3_600_000
      if (sum > life) faults.push(`panel ${panel} lived ${life} hours, and ${sum} were counted`)
    }
    return { events: rows.length, faults }
  }

  async close(): Promise<void> {
    this.#portal.end()
    this.#processes.endMain()
    await this.#pool.close()
    await this.#database.stop()
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Connection } from '#platform/db/connection.ts'
import type { Pool } from '#platform/db/pool.ts'

/** Clients of two servers' use on each of some days, rated and not charged. Amounts are as uneven as a seed makes them. */
export async function fillDue(
  pool: Pool,
  { clients, days, seed }: { clients: number; days: readonly string[]; seed: number },
): Promise<void> {
  await pool.kysely.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`with c as (
        insert into clients (email, first_name, last_name, language_id, currency_id, status)
        select 'due' || ${seed}::int8 || '-' || n || '@example.com', 'Due', n::text, (select min(id) from languages),
          (select id from currencies where code = 'USD'), 1 from generate_series(1, ${clients}::int) n returning id
      ), p as (insert into projects (client_id, name) select id, 'Workspace' from c returning id, client_id)
      insert into panels (client_id, project_id, name, status, external_id)
      select client_id, id, 'Panel', 'active', 'due-' || id from p`.execute(tx)
    await sql`select ledger_post('due:' || c.id, 'promo', c.id, 'USD', '2026-01-01', jsonb_build_array(
      jsonb_build_object('account', 'client:' || c.id || ':credit', 'amount', '0.01'),
      jsonb_build_object('account', 'promo:USD', 'amount', '-0.01'))) from clients c where c.first_name = 'Due'`.execute(
      tx,
    )
    await sql`select setseed(${(seed % 1000) / 1000}::float8)`.execute(tx)
    await sql`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events)
      select day, p.id, 'server/s' || n, m.id, round((random() * 50)::numeric, 6), 1
      from panels p, unnest(${[...days]}::date[]) day, generate_series(1, 2) n, meters m
      where p.external_id like 'due-%' and m.code in ('cpu_hours', 'traffic_gb')`.execute(tx)
    await sql`select usage_partitions(${[...days]}::date[])`.execute(tx)
    await sql`insert into keyed_usage_events (occurred_on, panel_engine_id, event_key, panel_id, resource_ref, meter_id, period_start,
        period_end, quantity)
      select d.usage_on, 1, md5(concat_ws(':', panel_id, resource_ref, meter_id))::uuid, panel_id, resource_ref, meter_id,
        usage_on, usage_on + 1, quantity
      from usage_meter_days d join panels p on p.id = d.panel_id and p.external_id like 'due-%'`.execute(tx)
    for (;;) {
      const { rows } = await sql<{ rated: number }>`select rated from usage_rate(5000)`.execute(tx)
      if (rows[0]?.rated === 0) return
    }
  })
}

type Worker = { readonly process: ChildProcess; readonly ready: Promise<unknown> }

/** Processes that charge, or do what another program of this folder does, of which one after another is killed and replaced. */
export class Fire {
  readonly #connection: Connection
  readonly #batch: number | string
  readonly #program: string
  #workers: Worker[] = []
  kills = 0

  constructor(connection: Connection, batch: number | string, program = 'serve-charges.ts') {
    this.#connection = connection
    this.#batch = batch
    this.#program = path.join(import.meta.dirname, program)
  }

  #start(): Worker {
    const { host = '', database = '' } = this.#connection
    const args = ['--disable-warning=ExperimentalWarning', this.#program, host, database, String(this.#batch)]
    const worker = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    return { process: worker, ready: once(worker.stdout, 'data') }
  }

  async start(workers: number): Promise<void> {
    this.#workers = Array.from({ length: workers }, () => this.#start())
    await Promise.all(this.#workers.map(({ ready }) => ready))
  }

  /** Kills the worker that is at it the longest, wherever it is, once it was at it for so long; another takes its place. */
  async kill(afterMs: number): Promise<void> {
    const [oldest, ...others] = this.#workers
    await oldest?.ready
    await sleep(afterMs)
    oldest?.process.kill('SIGKILL')
    this.#workers = [...others, this.#start()]
    this.kills += 1
  }

  async end(): Promise<void> {
    const ended = this.#workers.map(({ process: worker }) => once(worker, 'exit'))
    for (const { process: worker } of this.#workers) worker.kill('SIGKILL')
    await Promise.all(ended)
  }
}

/** Client days that still wait for their charge. */
export async function dueCount(pool: Pool): Promise<number> {
  for (;;) {
    const found = await sql<{ n: number }>`select count(*)::int as n from usage_client_days where due`
      .execute(pool.kysely)
      .catch(() => undefined)
    if (found) return found.rows[0]?.n ?? 0
    await sleep(50)
  }
}

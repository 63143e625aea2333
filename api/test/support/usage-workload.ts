import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { grantPromo } from '#money/ledger/credit.ts'
import { deposit, refund } from '#money/ledger/deposits.ts'
import type { Pool } from '#platform/db/pool.ts'
import { Problem } from '#platform/errors/problem.ts'
import { chargeDueDays, rateUsage } from '#usage/charging.ts'
import { receiveUsage } from '#usage/ingest.ts'
import { type Account, makeAccount } from './account.ts'
import { businessTime } from './money.ts'
import { usageEvent } from './usage.ts'

/** Numbers from 0 up to 1 that follow from the seed alone (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const firstDay = Date.parse('2026-03-10T00:00:00Z')
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const meters = ['cpu_hours', 'ram_gb_hours', 'traffic_gb', 'disk_gb_hours'] as const
const mostWaiting = 500
const mostRemembered = 5000
// A database that recovers on a busy machine takes its time.
const longestAwayMs = 60_000

/** Bad events, each refused by itself. */
const spoilt = [{ quantity: 'NaN' }, { quantity: 7 }, { meter: 'nothing' }, { end: '2040-01-01T01:00:00Z' }]

type Event = ReturnType<typeof usageEvent>

/**
 * Months of an installation in random steps that follow from one seed: new, duplicate, late, corrected and invalid
 * events, top-ups, promotions, refunds, and days that pass and are charged. A step that fails because the database was
 * ended is repeated, as its sender would do, so the result follows from the seed too.
 */
export class Workload {
  readonly #pool: Pool
  readonly #random: () => number
  readonly #stepsPerDay: number
  /** Called before each write; a test may end the database then. */
  readonly #before: (step: number) => void
  readonly #seed: number
  #accounts: Account[] = []
  #engine = 0
  #day = 0
  #step = 0
  #waiting: Event[] = []
  #sent: Event[] = []
  #messages = 0
  retried = 0

  constructor(pool: Pool, { seed = 1, stepsPerDay = 500, before = (_: number): void => undefined }) {
    this.#pool = pool
    this.#seed = seed
    this.#random = seeded(seed)
    this.#stepsPerDay = stepsPerDay
    this.#before = before
  }

  async prepare(accounts: number): Promise<void> {
    for (let i = 0; i < accounts; i++)
      this.#accounts.push(await makeAccount(this.#pool, { projects: 2, panels: 1, opening: null }))
    const { rows } = await sql<{ id: number }>`select id from panel_engines where is_default`.execute(
      this.#pool.kysely,
    )
    this.#engine = rows[0]?.id ?? 0
    await businessTime(this.#pool, new Date(firstDay + 12 * hourMs).toISOString())
  }

  #below = (n: number): number => Math.floor(this.#random() * n)
  #one = <T>(of: readonly [T, ...T[]]): T => of[this.#below(of.length)] ?? of[0]

  /** Does it until it is done: a database that is away comes back, and everything here can be repeated. */
  async #surely<T>(work: () => Promise<T>): Promise<T> {
    this.#before(this.#step)
    const until = performance.now() + longestAwayMs
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (error instanceof Problem || performance.now() > until) throw error
        this.retried += 1
        await sleep(50)
      }
    }
  }

  #event(data: Record<string, unknown> = {}): Event {
    const account = this.#accounts[this.#below(this.#accounts.length)]
    const panel = account?.panels[this.#below(2)] ?? 0
    const late = this.#random() < 0.07 ? 1 + this.#below(30) : 0
    const start = firstDay + (this.#day - late) * dayMs + this.#below(12) * hourMs
    return usageEvent(panel, {
      id: `${this.#seed}:${this.#step}`,
      data: {
        resource: `server/server${1 + this.#below(3)}`,
        meter: this.#one(meters),
        start: new Date(start).toISOString(),
        end: new Date(start + hourMs).toISOString(),
        quantity: (this.#random() < 0.06 ? -this.#random() : this.#random() * 40).toFixed(6),
        ...data,
      },
    })
  }

  async #flush(): Promise<void> {
    const events = this.#waiting.splice(0)
    if (events.length === 0) return
    const message = {
      engineId: this.#engine,
      id: `w-${this.#seed}-${++this.#messages}`,
      body: Buffer.from(JSON.stringify(events)),
      events,
      strict: false,
    }
    await this.#surely(() => receiveUsage(this.#pool.kysely, message, new Date()))
  }

  async #money(kind: 'deposit' | 'refund' | 'promo'): Promise<void> {
    const clientId = this.#accounts[this.#below(this.#accounts.length)]?.id ?? 0
    const sum = (1 + this.#below(2_000_000)).toString().padStart(7, '0')
    const decimal = `${sum.slice(0, -4)}.${sum.slice(-4)}`
    const on = new Date(firstDay + this.#day * dayMs).toISOString().slice(0, 10)
    const about = { key: `w:${this.#seed}:${this.#step}`, clientId, currency: 'USD', on }
    const db = this.#pool.kysely
    await this.#surely(() =>
      db.transaction().execute(async (tx) => {
        if (kind === 'promo') await grantPromo(tx, { ...about, amount: decimal })
        else await { deposit, refund }[kind](tx, { ...about, net: decimal, means: 'bank' })
      }),
    ).catch((error: unknown) => {
      // A refund beyond the balance is refused.
      if (!(error instanceof Problem && error.code === 'insufficient_balance')) throw error
    })
  }

  /** The day passes, and is rated and charged. */
  async nextDay(): Promise<void> {
    await this.#flush()
    this.#day += 1
    const noon = new Date(firstDay + this.#day * dayMs + 12 * hourMs).toISOString()
    await this.#surely(() => businessTime(this.#pool, noon))
    await this.settle()
  }

  async settle(): Promise<void> {
    await this.#flush()
    const db = this.#pool.kysely
    await this.#surely(() => rateUsage(db))
    const charge = () => this.#surely(() => chargeDueDays(db, async () => undefined))
    // On a machine that is busy for long, what is left is charged before anything else comes, as it would be on another.
    for (let run = await charge(); run.unfinished; ) run = await charge()
  }

  async #take(): Promise<void> {
    const what = this.#random()
    if (what < 0.004) return this.#money('deposit')
    if (what < 0.006) return this.#money('promo')
    if (what < 0.008) return this.#money('refund')
    let event: Event
    const known = this.#sent[this.#below(this.#sent.length)]
    if (what < 0.15 && known) event = known
    else if (what < 0.17) event = this.#event(this.#one([spoilt[0] ?? {}, ...spoilt.slice(1)]))
    else event = this.#event()
    this.#waiting.push(event)
    if (this.#sent.length < mostRemembered) this.#sent.push(event)
    else this.#sent[this.#below(mostRemembered)] = event
    if (this.#waiting.length >= mostWaiting || what > 0.998) await this.#flush()
  }

  async run(
    steps: number,
    afterStep: (step: number) => Promise<void> = async () => undefined,
  ): Promise<void> {
    for (let i = 0; i < steps; i++) {
      this.#step += 1
      await this.#take()
      if (this.#step % this.#stepsPerDay !== 0) continue
      await this.nextDay()
      await afterStep(this.#step)
    }
    await this.nextDay()
  }

  /**
   * The result in one line, equal for the same number of steps and the same seed, down to each charge and each line of
   * the billing log. Ids are left out: a database that was ended skips some.
   */
  async digest(): Promise<string> {
    const { rows } = await sql<{ line: string }>`select concat_ws(' ',
      (select count(*) from keyed_usage_events), (select sum(quantity) from usage_meter_days),
      (select sum(charged_amount) from usage_client_days), (select sum(account_balance + credit_balance) from account_balances),
      (select md5(string_agg((account_balance, credit_balance)::text, ',' order by client_id)) from account_balances),
      (select md5(string_agg((usage_on, seq, amount, from_credit)::text, ',' order by client_id, usage_on, seq)) from usage_charges),
      (select md5(string_agg((date, description_key, net)::text, ',' order by client_id, date, description_key, net, project_id))
        from billing_logs)) as line`.execute(this.#pool.kysely)
    return rows[0]?.line ?? ''
  }
}

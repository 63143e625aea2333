import ipaddr from 'ipaddr.js'
import { type Allowance, type Limit, longestBlock } from '#identity/config.ts'
import { hmac } from '#identity/crypto.ts'
import type { Deps } from '#identity/deps.ts'
import type { Work } from '#identity/identity-context.ts'
import type { Keys } from '#identity/sessions/signing-keys.ts'
import { runnerOf } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'

type Counting = Pick<Work, 'tx' | 'now' | 'keys'>

// One statement, so that concurrent attempts are counted one after another across processes. `quiet`: nothing
// happened for a whole window, so the count restarts. `open`: one more attempt. `over`: blocks, for twice as
// long as the last time; afterwards `again` attempts remain before the next block. A current block is left as
// it is.
const chargeSql = `
insert into auth_throttle as t (key, fails, window_start) values ($1, 1, $2::timestamptz)
on conflict (key) do update set (fails, window_start, blocked_until, blocks) = (
  select
    case state when 'quiet' then 1 when 'open' then t.fails + 1 else $3::int - $7::int end,
    case state when 'quiet' then $2::timestamptz else t.window_start end,
    case state
      when 'quiet' then null
      when 'over' then $2::timestamptz + least($5::float8 * 2 ^ t.blocks, $6::float8) * interval '1 millisecond'
      else t.blocked_until
    end,
    case state when 'quiet' then 0 when 'over' then least(t.blocks + 1, 10) else t.blocks end
  from (select case
    when greatest(t.window_start, t.blocked_until) <= $2::timestamptz - $4::float8 * interval '1 millisecond' then 'quiet'
    when t.fails < $3::int then 'open'
    else 'over'
  end as state) now
)
where t.blocked_until is null or t.blocked_until <= $2::timestamptz
returning extract(epoch from blocked_until - $2::timestamptz)::float8 as seconds`

const waitSql = `
select extract(epoch from blocked_until - $2::timestamptz)::float8 as seconds from auth_throttle where key = $1`

const allowSql = `
insert into auth_throttle as t (key, fails, window_start) values ($1, 1, $2::timestamptz)
on conflict (key) do update set
  fails = case when t.window_start > $3::timestamptz then least(t.fails + 1, $4::int + 1) else 1 end,
  window_start = case when t.window_start > $3::timestamptz then t.window_start else $2::timestamptz end
returning fails <= $4::int as allowed, extract(epoch from window_start - $3::timestamptz)::float8 as seconds`

const keyOf = (keys: Keys, { name }: Allowance, subject: string) =>
  hmac(keys[0].throttle, `${name}:${subject}`)

const tooMany = (seconds: number) =>
  refuse('attempts_too_many', {}, { headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) } })

/** Counts an event; returns the seconds to wait when the allowance is exhausted, else 0. */
async function count({ tx, now, keys }: Counting, allowance: Allowance, subject: string): Promise<number> {
  const since = new Date(now.getTime() - allowance.window).toISOString()
  const values = [keyOf(keys, allowance, subject), now.toISOString(), since, allowance.tries]
  const [row] = await runnerOf(tx).run({ sql: allowSql, values })
  return row?.allowed ? 0 : Number(row?.seconds ?? 0)
}

/** Whether an event is allowed once more; it is counted when the transaction commits. */
export async function allow(work: Counting, allowance: Allowance, subject: string): Promise<boolean> {
  return (await count(work, allowance, subject)) === 0
}

/** Like `allow`, but throws `attempts_too_many` when it is not allowed. */
export async function assertAllowed(work: Counting, allowance: Allowance, subject: string): Promise<void> {
  const seconds = await count(work, allowance, subject)
  if (seconds > 0) throw tooMany(seconds)
}

const nothing = async () => undefined

/** Counts attempts in the database, so that limits hold across processes and restarts. */
export class Throttle {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Counts one attempt before its outcome is known, and returns the argument for `refund`. Throws
   * `attempts_too_many`; the result does not depend on whether the subject exists. `closing` runs for exactly
   * one attempt, the one that starts a block.
   */
  async charge(limit: Limit, subject: string, closing: () => Promise<void> = nothing): Promise<Buffer> {
    const { pool, clock, keys } = this.#deps
    const key = keyOf(keys, limit, subject)
    const now = clock.now().toISOString()
    const { tries, window, block, longest = longestBlock, again = 1 } = limit
    const values = [key, now, tries, window, block, longest, again]
    const [counted] = await pool.run({ sql: chargeSql, values })
    const [closed] = counted ? [counted] : await pool.run({ sql: waitSql, values: [key, now] })
    const wait = Number(closed?.seconds ?? 0)
    if (counted && wait <= 0) return key
    if (counted) await closing()
    throw tooMany(wait)
  }

  /** Deletes the attempts of a subject that has proved its identity in another way. */
  async forget(limit: Limit, subject: string): Promise<void> {
    const { pool, keys } = this.#deps
    await pool.run({
      sql: 'delete from auth_throttle where key = any($1::bytea[])',
      values: [keys.map((key) => keyOf([key], limit, subject))],
    })
  }

  /**
   * Removes the count of attempts that turned out correct. Only these: others may be guessing at the same
   * time.
   */
  async refund(charged: readonly Buffer[]): Promise<void> {
    await this.#deps.pool.run({
      sql: 'update auth_throttle set fails = greatest(fails - 1, 0) where key = any($1::bytea[])',
      values: [charged],
    })
  }
}

/** The subject for counting by address: one holder of IPv6 has a whole /64 to choose from. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : address.toString()
}

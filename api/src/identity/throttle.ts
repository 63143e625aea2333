import ipaddr from 'ipaddr.js'
import { Problem } from '../errors/problem.ts'
import { type Limit, longestBlock } from './config.ts'
import { hmac } from './crypto.ts'
import type { Deps } from './deps.ts'

// One statement, so that tries at the same moment are counted one after the other, in whichever process they arrive.
// `quiet`: nothing happened for a whole window, everything starts anew. `open`: one more try. `over`: closes, for twice as
// long as the last time; afterwards one try is given before it closes again. What is still closed is left as it is.
const chargeSql = `
insert into auth_throttle as t (key, fails, window_start) values ($1, 1, $2::timestamptz)
on conflict (key) do update set (fails, window_start, blocked_until, blocks) = (
  select
    case state when 'quiet' then 1 when 'open' then t.fails + 1 else $3::int - 1 end,
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

const nothing = async () => undefined

/** Counts tries in the database, so that limits hold across processes and restarts. */
export class Throttle {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Counts one try, before it is known whether it succeeds, and returns what `refund` takes. Throws `rate_limited` when
   * there were too many; the answer does not depend on whether what is counted exists. `closing` runs at the one try that
   * closes, however many come at that moment.
   */
  async charge(limit: Limit, subject: string, closing: () => Promise<void> = nothing): Promise<Buffer> {
    const { pool, clock, keys } = this.#deps
    const key = hmac(keys[0].throttle, `${limit.name}:${subject}`)
    const now = clock.now().toISOString()
    const values = [key, now, limit.tries, limit.window, limit.block, longestBlock]
    const [counted] = await pool.run({ sql: chargeSql, values })
    const [closed] = counted ? [counted] : await pool.run({ sql: waitSql, values: [key, now] })
    const wait = Number(closed?.seconds ?? 0)
    if (counted && wait <= 0) return key
    if (counted) await closing()
    throw new Problem('rate_limited', 'Too many attempts. Wait a while, then try again.', {
      headers: { 'retry-after': String(Math.max(1, Math.ceil(wait))) },
    })
  }

  /** Takes tries back that turned out to be right. Only these: others may be guessing at the same time. */
  async refund(charged: readonly Buffer[]): Promise<void> {
    await this.#deps.pool.run({
      sql: 'update auth_throttle set fails = greatest(fails - 1, 0) where key = any($1::bytea[])',
      values: [charged],
    })
  }
}

/** What stands for an address when tries are counted: one holder of IPv6 has a whole /64 to choose from. */
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

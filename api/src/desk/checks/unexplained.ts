import { unexplained } from '@portico/contract/resources/staff-actions.ts'
import type { Pool } from '#platform/db/pool.ts'
import { type Finding, hint } from './finding.ts'

const days = 7

/**
 * Checks that nobody has lately changed the operator's own data in the database without a reason. Only a hint: a replica of
 * the release before does not name what it writes (docs/decisions/0207-unexplained-writes.md).
 */
export async function checkUnexplained(pool: Pool): Promise<Finding[]> {
  const [found] = await pool.run<{ writes: number }>({
    sql: `select count(*)::int as writes from staff_actions
      where reason = '${unexplained}' and at > now() - interval '${days} days'`,
    values: [],
  })
  const writes = found?.writes ?? 0
  if (writes === 0) return []
  return [
    hint(
      'log',
      `in the last ${days} days, changes of the operator's data in the database without a reason: ${writes}; look at them at /desk/log, and begin such transactions with select portico_because('why').`,
      `în ultimele ${days} zile, modificări ale datelor operatorului făcute în baza de date fără motiv: ${writes}; vezi-le la /desk/log și începe astfel de tranzacții cu select portico_because('de ce').`,
    ),
  ]
}

import type { Pool } from '#platform/db/pool.ts'
import { type Finding, good, warn } from './finding.ts'

/** Days are charged when their engine has reported them, so lateness delays money. The same as the rule PorticoUsageLate. */
const longestLagHours = 6

/** Checks that all usage has a price. */
async function checkPrices(pool: Pool): Promise<Finding[]> {
  const [found] = await pool.run<{ unpriced: number }>({
    sql: 'select count(*)::int as unpriced from usage_meter_days where unpriced',
    values: [],
  })
  const unpriced = found?.unpriced ?? 0
  return unpriced === 0
    ? []
    : [
        warn(
          'prices',
          `${unpriced} sums of usage have no price and are not charged; add the prices at /desk/plans.`,
          `sume de consum fără preț, care nu se facturează: ${unpriced}; adaugă prețurile la /desk/plans.`,
        ),
      ]
}

/** Checks how far behind the engines are that report usage. */
async function checkLag(pool: Pool): Promise<Finding[]> {
  const engines = await pool.run<{ code: string; hours: number }>({
    sql: `select e.code, floor(extract(epoch from clock_now() - w.through) / 3600)::int as hours
      from engine_watermarks w join panel_engines e on e.id = w.panel_engine_id where e.disabled_at is null order by e.code`,
    values: [],
  })
  const late = engines.filter(({ hours }) => hours >= longestLagHours)
  if (engines.length === 0) return []
  if (late.length === 0)
    return [
      good(
        'usage',
        'every engine that reports it does so in time.',
        'fiecare motor care îl raportează o face la timp.',
      ),
    ]
  const each = late.map(({ code, hours }) => `${code} (${hours} h)`).join(', ')
  return [
    warn(
      'usage',
      `engines have not reported it for hours: ${each}; until they do, their days are not charged; look at their logs.`,
      `motoare care nu l-au raportat de ore întregi: ${each}; până atunci zilele lor nu se facturează; uită-te în jurnalele lor.`,
    ),
  ]
}

/** Checks that usage arrives and has prices. */
export async function checkUsage(pool: Pool): Promise<Finding[]> {
  return [...(await checkPrices(pool)), ...(await checkLag(pool))]
}

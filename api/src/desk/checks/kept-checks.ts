import { alertStaff, resolveOthers } from '#platform/alerts.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Finding, FindingState } from './finding.ts'

/** The checks with their configuration, which only the start knows. */
export type CheckParts = { readonly findAll: () => Promise<Finding[]> }

const order: readonly FindingState[] = ['stop', 'warn', 'hint', 'good']

/** Queues a run of all checks; one that waits already is enough. */
export const requestChecks = (db: Database): Promise<void> =>
  enqueue(db, 'checks.run', {}, { key: 'checks.run', attempts: 1 })

const fails = ({ state }: { readonly state: string }): boolean => state === 'stop' || state === 'warn'

type Kept = { readonly about: string; readonly state: string; readonly turned_at: string | null }

type Turned = { readonly at: string | null; readonly isAgain: boolean }

/** By subject, when those that fail now turned: now for one that was well in the run before, null for one that never was. */
function turnedAt(found: readonly Finding[], before: readonly Kept[], now: string): Map<string, Turned> {
  const earlier = Map.groupBy(before, ({ about }) => about)
  const turned = (kept: readonly Kept[]): Turned => {
    const failed = kept.find(fails)
    if (failed) return { at: failed.turned_at, isAgain: true }
    return { at: kept.length > 0 ? now : null, isAgain: false }
  }
  return new Map(found.filter(fails).map(({ about }) => [about, turned(earlier.get(about) ?? [])]))
}

const alertKind = 'check_failed'
const caseOf = (about: string): string => `check ${about}`

/**
 * Alerts staff to each check that was well and has failed twice since, as a mail server may miss one question; the alert
 * ends when the check is well. One that never was well is a step of the set-up and no alert.
 */
async function alertTurned(tx: Database, found: readonly Finding[], turned: Map<string, Turned>) {
  const goingOn: string[] = []
  for (const { about, state, words } of found.filter(fails)) {
    const { at, isAgain } = turned.get(about) ?? { at: null, isAgain: false }
    if (at === null || !isAgain || goingOn.includes(caseOf(about))) continue
    goingOn.push(caseOf(about))
    await alertStaff(tx, caseOf(about), alertKind, { state, found_en: words.en, found_ro: words.ro })
  }
  await resolveOthers(tx, alertKind, goingOn)
}

/**
 * Makes all checks, and keeps their results in place of the earlier ones, the worst first. One that turned alerts staff.
 */
export async function runChecks({
  pool,
  clock,
  findAll,
}: CheckParts & { readonly pool: Pool; readonly clock: Clock }): Promise<void> {
  const found = await findAll()
  const checked_at = clock.now().toISOString()
  const sorted = found.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  await pool.kysely.transaction().execute(async (tx) => {
    const before = await tx.deleteFrom('checks').returning(['about', 'state', 'turned_at']).execute()
    const turned = turnedAt(sorted, before, checked_at)
    const rows = sorted.map(({ about, state, words }) => ({
      about,
      state,
      words_en: words.en,
      words_ro: words.ro,
      checked_at,
      turned_at: fails({ state }) ? (turned.get(about)?.at ?? null) : null,
    }))
    if (rows.length > 0) await tx.insertInto('checks').values(rows).execute()
    await alertTurned(tx, sorted, turned)
  })
}
